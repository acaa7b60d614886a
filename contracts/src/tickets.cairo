//! A game's ticket: it is accepted once, and then rated or void for ever. And what settling one writes.

use super::felt::{pack, unpack};
use super::rules::{ANCHOR, GameResult, INVALID, Outcome, rate};

#[derive(Copy, Drop, PartialEq)]
pub enum Ticket {
    None,
    Accepted,
    Rated,
    /// And why.
    Void: u8,
}

/// Both players' felts and the ticket's slot after a game was settled. The players are those before it where it is
/// void.
#[derive(Copy, Drop)]
pub struct Settled {
    pub a: felt252,
    pub b: felt252,
    pub ticket: felt252,
    /// The reason, or 0 for a rated game.
    pub void: u8,
}

/// The ticket in one slot: the status, and above its two bits the reason.
pub fn pack_ticket(ticket: Ticket) -> felt252 {
    match ticket {
        Ticket::None => 0,
        Ticket::Accepted => 1,
        Ticket::Rated => 2,
        Ticket::Void(reason) => 3 + 4 * reason.into(),
    }
}

/// The ticket of a slot; refuses one that no ticket has.
pub fn unpack_ticket(slot: felt252) -> Result<Ticket, felt252> {
    let bits: u8 = match slot.try_into() {
        Option::Some(bits) => bits,
        Option::None => { return Result::Err('ticket'); },
    };
    let (status, reason) = (bits % 4, bits / 4);
    if status == 3 && reason >= INVALID && reason <= ANCHOR {
        Result::Ok(Ticket::Void(reason))
    } else if bits == 0 {
        Result::Ok(Ticket::None)
    } else if bits == 1 {
        Result::Ok(Ticket::Accepted)
    } else if bits == 2 {
        Result::Ok(Ticket::Rated)
    } else {
        Result::Err('ticket')
    }
}

/// The ticket accepted if there was none; else as it is.
pub fn accept(ticket: Ticket) -> Ticket {
    if ticket == Ticket::None {
        Ticket::Accepted
    } else {
        ticket
    }
}

/// An accepted ticket rated. Any other stays as it is.
pub fn rated(ticket: Ticket) -> Ticket {
    if ticket == Ticket::Accepted {
        Ticket::Rated
    } else {
        ticket
    }
}

/// An accepted ticket void for a reason. Any other stays as it is.
pub fn void(ticket: Ticket, reason: u8) -> Result<Ticket, felt252> {
    if reason < INVALID || reason > ANCHOR {
        return Result::Err('reason');
    }
    Result::Ok(if ticket == Ticket::Accepted {
        Ticket::Void(reason)
    } else {
        ticket
    })
}

/// What a game changes: from the slots of its ticket and its players to all three after it. None where the ticket is
/// not accepted: then nothing changes, and the result is not looked at.
pub fn settle(ticket: felt252, a: felt252, b: felt252, result: GameResult) -> Result<Option<Settled>, felt252> {
    let ticket = unpack_ticket(ticket)?;
    if ticket != Ticket::Accepted {
        return Result::Ok(Option::None);
    }
    let settled = match rate(unpack(a)?, unpack(b)?, result)? {
        Outcome::Rated((
            after_a, after_b,
        )) => Settled { a: pack(after_a)?, b: pack(after_b)?, ticket: pack_ticket(rated(ticket)), void: 0 },
        Outcome::Void(reason) => Settled { a, b, ticket: pack_ticket(void(ticket, reason)?), void: reason },
    };
    Result::Ok(Option::Some(settled))
}
