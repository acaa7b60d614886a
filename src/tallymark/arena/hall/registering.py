"""Who says hello: kept by the arena, and named to the ledger as what it is."""

from collections.abc import Collection, Sequence

from tallymark.arena.store import agents, locks, tickets
from tallymark.arena.store.agents import Agent
from tallymark.arena.store.tickets import Ticket
from tallymark.errors import InputError
from tallymark.ledger.ledger import Ledger


def registered(ledger: Ledger, agent: Agent, pools: Collection[str], hall: str, most: int) -> Sequence[Ticket]:
    """The tickets with which an agent waits, wherever it was before: the hall has them now. Where it waits for a
    benchmark that holds it to another program, it waits no longer. `InputError` where the name is another's, also where
    somebody of that name, whom the arena does not know, has a rating in one of the `pools`: nobody takes over what
    another has won; and where the name is new, and the owner has `most` already. Names stay for ever, and so does what
    they have won: who could have any number would fill boards and queues with them.

    Nothing is written for an agent that is known as it is and waits for nothing."""
    agents.check(agent)
    with ledger.store.reading() as connection:
        known = agents.find(connection, agent.id)
        others = known is None and agent.kind == "agent" and agents.is_rated(connection, agent.id, pools)
        if known == agent and not tickets.of_agent(connection, agent.id):
            return ()
        full = known is None and agent.kind == "agent" and agents.owned(connection, agent.owner) >= most
    if others:
        raise InputError(f"agent {agent.id!r} is another's; expected a name of your own", field="agent")
    if full:
        raise InputError(
            f"agent is {agent.id!r}, a new name; {agent.owner!r} has registered {most:,} agents, which is all it may",
            hint="come back as one of them",
            field="agent",
        )
    if known is None and ledger.player(agent.id).kind is None:
        ledger.name(agent.id, kind=agent.kind)  # boards and pages know it by this
    with ledger.beside() as own:
        agents.register(own.connection, agent, ledger.now())
        bound = {one.game for one in locks.of_agent(own.connection, agent.id) if one.program != agent.program}
        for ticket in tickets.of_agent(own.connection, agent.id) if bound else ():
            if ticket.game in bound:
                tickets.cancel(own.connection, ticket.id, ledger.now())
        return tickets.hold(own.connection, agent.id, hall)
