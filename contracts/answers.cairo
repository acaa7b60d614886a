// The program that answers vectors: joined to the package's modules by run.mjs, with the questions as VECTORS.
// A question is its kind, how many felts are given, and these. An answer is how many felts and these, or REFUSED and the
// word. The runner shows whole arrays only of a panic: so the answers are what the program panics with in the end.

use core::dict::Felt252Dict;
use core::nullable::NullableTrait;
use felt::{Player, pack, unpack};
use formulas::{aged, exp_neg, g, half_life, logistic, rank};
use primitives::{rdiv, root};
use rules::{GameResult, Outcome, rate};
use tickets::{accept, pack_ticket, rated, settle, unpack_ticket, void};
use updating::{State, Words, accepted, update};

const REFUSED: felt252 = -1;
const OF_STATE: Words = Words { mu: 'state.mu', phi: 'state.phi', last: 'state.last' };

type Answer = Result<Array<felt252>, felt252>;

fn main() {
    let mut file = VECTORS.span();
    let mut answers = array!['answers'];
    while !file.is_empty() {
        let count: usize = (*file[1]).try_into().unwrap();
        match answer(*file[0], file.slice(2, count)) {
            Result::Ok(values) => {
                answers.append(values.len().into());
                answers.append_span(values.span());
            },
            Result::Err(word) => {
                answers.append(REFUSED);
                answers.append(word);
            },
        }
        file = file.slice(2 + count, file.len() - 2 - count);
    };
    panic(answers)
}

fn answer(kind: felt252, given: Span<felt252>) -> Answer {
    if kind == 'rdiv' {
        let d: NonZero<u128> = told::<u128>(given, 1, 'd')?.try_into().ok_or('d')?;
        let d: u128 = d.into();
        Result::Ok(array![rdiv(told(given, 0, 'n')?, primitives::signed(d)).into()])
    } else if kind == 'root' {
        Result::Ok(array![root(told(given, 0, 'n')?).into()])
    } else if kind == 'exp_neg' {
        Result::Ok(array![exp_neg(primitives::signed(told(given, 0, 'x')?)).into()])
    } else if kind == 'logistic' {
        Result::Ok(array![logistic(told(given, 0, 'z')?).into()])
    } else if kind == 'g' {
        Result::Ok(array![g(told(given, 0, 'var')?).into()])
    } else if kind == 'rank' {
        Result::Ok(array![rank(told(given, 0, 'mu')?).into()])
    } else if kind == 'half_life' {
        Result::Ok(array![half_life(told(given, 0, 'rank')?).into()])
    } else if kind == 'aged' {
        let state = state(given, OF_STATE)?;
        accepted(state, OF_STATE)?;
        Result::Ok(array![aged(state.mu, state.phi, state.last, told(given, 3, 't')?).into()])
    } else if kind == 'update' {
        let (a, b) = (state(given, updating::OF_A)?, state(given.slice(3, 5), updating::OF_B)?);
        let done = update(a, b, told(given, 6, 'half_points')?, told(given, 7, 't')?)?;
        let mut out = array![];
        told_state(ref out, done.a);
        told_state(ref out, done.b);
        out.append(done.p.into());
        Result::Ok(out)
    } else if kind == 'pack' {
        Result::Ok(array![pack(player(given)?)?])
    } else if kind == 'unpack' {
        let p = unpack(*given[0])?;
        let (established, has_peak) = (flag(p.established), flag(p.has_peak));
        let mut out = array![p.mu.into(), p.phi.into(), p.last.into(), p.band.into(), established, has_peak];
        let rest: Array<felt252> = array![
            p.version.into(), p.wins.into(), p.losses.into(), p.draws.into(), p.peak.into(),
        ];
        out.append_span(rest.span());
        Result::Ok(out)
    } else if kind == 'game' {
        let (a, b) = (unpack(*given[0])?, unpack(*given[1])?);
        match rate(a, b, result(given.slice(2, 7))?)? {
            Outcome::Rated((a, b)) => Result::Ok(array![0, pack(a)?, pack(b)?]),
            Outcome::Void(reason) => Result::Ok(array![reason.into()]),
        }
    } else if kind == 'ticket' {
        let before = unpack_ticket(*given[0])?;
        let action = *given[1];
        if action == 'accept' {
            Result::Ok(array![pack_ticket(accept(before))])
        } else if action == 'rate' {
            Result::Ok(array![pack_ticket(rated(before))])
        } else {
            Result::Ok(array![pack_ticket(void(before, told(given, 2, 'reason')?)?)])
        }
    } else if kind == 'sequence' {
        sequence(given)
    } else if kind == 'season' {
        season(given)
    } else {
        panic!("unknown kind")
    }
}

/// Players, each mu, phi, last; then games, each a, b, half points, t. Out: the players after all games, and each p.
fn sequence(given: Span<felt252>) -> Answer {
    let players: usize = (*given[0]).try_into().unwrap();
    let mut states: Felt252Dict<Nullable<State>> = Default::default();
    for i in 0..players {
        states.insert(i.into(), NullableTrait::new(state(given.slice(1 + 3 * i, 3), OF_STATE).unwrap()));
    };
    let mut games = given.slice(1 + 3 * players, given.len() - 1 - 3 * players);
    let mut chances = array![];
    while !games.is_empty() {
        let (a, b) = (*games[0], *games[1]);
        let (half_points, t) = (told(games, 2, 'half_points').unwrap(), told(games, 3, 't').unwrap());
        let done = update(states.get(a).deref(), states.get(b).deref(), half_points, t).unwrap();
        states.insert(a, NullableTrait::new(done.a));
        states.insert(b, NullableTrait::new(done.b));
        chances.append(done.p.into());
        games = games.slice(4, games.len() - 4);
    };
    let mut out = array![];
    for i in 0..players {
        told_state(ref out, states.get(i.into()).deref());
    };
    out.append_span(chances.span());
    Result::Ok(out)
}

/// Calls of a contract, each action, ticket, reason, players a and b, and a result. Out: after each call the slots of
/// its ticket, its a and its b. Two dictionaries stand in for the storage that the runner does not have.
fn season(given: Span<felt252>) -> Answer {
    let mut players: Felt252Dict<felt252> = Default::default();
    let mut slots: Felt252Dict<felt252> = Default::default();
    let mut calls = given;
    let mut out = array![];
    let mut refused = 0;
    while !calls.is_empty() && refused == 0 {
        let (action, ticket, a, b) = (*calls[0], *calls[1], *calls[3], *calls[4]);
        let before = (slots.get(ticket), players.get(a), players.get(b));
        match called(action, before, calls, a == b) {
            Result::Ok((
                slot, after_a, after_b,
            )) => {
                slots.insert(ticket, slot);
                players.insert(a, after_a);
                players.insert(b, after_b);
                out.append(slot);
                out.append(after_a);
                out.append(after_b);
            },
            Result::Err(word) => { refused = word; },
        }
        calls = calls.slice(12, calls.len() - 12);
    };
    if refused != 0 {
        return Result::Err(refused);
    }
    Result::Ok(out)
}

fn called(
    action: felt252, before: (felt252, felt252, felt252), call: Span<felt252>, alone: bool,
) -> Result<(felt252, felt252, felt252), felt252> {
    let (slot, a, b) = before;
    let ticket = unpack_ticket(slot)?;
    if action == 'accept' {
        return Result::Ok((pack_ticket(accept(ticket)), a, b));
    }
    if action == 'void' {
        return Result::Ok((pack_ticket(void(ticket, told(call, 2, 'reason')?)?), a, b));
    }
    if alone {
        return Result::Err('b');
    }
    match settle(slot, a, b, result(call.slice(5, 7))?)? {
        Option::Some(settled) => Result::Ok((settled.ticket, settled.a, settled.b)),
        Option::None => Result::Ok(before),
    }
}

/// A value of the type that is asked for; a number that it does not hold is refused.
fn told<T, +TryInto<felt252, T>>(given: Span<felt252>, at: usize, word: felt252) -> Result<T, felt252> {
    (*given[at]).try_into().ok_or(word)
}

fn state(given: Span<felt252>, words: Words) -> Result<State, felt252> {
    let (mu, phi) = (told(given, 0, words.mu)?, told(given, 1, words.phi)?);
    Result::Ok(State { mu, phi, last: told(given, 2, words.last)? })
}

fn told_state(ref out: Array<felt252>, state: State) {
    out.append(state.mu.into());
    out.append(state.phi.into());
    out.append(state.last.into());
}

fn player(given: Span<felt252>) -> Result<Player, felt252> {
    Result::Ok(
        Player {
            mu: told(given, 0, 'mu')?,
            phi: told(given, 1, 'phi')?,
            last: told(given, 2, 'last')?,
            band: told(given, 3, 'band')?,
            established: *given[4] == 1,
            has_peak: *given[5] == 1,
            version: told(given, 6, 'version')?,
            wins: told(given, 7, 'wins')?,
            losses: told(given, 8, 'losses')?,
            draws: told(given, 9, 'draws')?,
            peak: told(given, 10, 'peak')?,
        },
    )
}

fn result(given: Span<felt252>) -> Result<GameResult, felt252> {
    Result::Ok(
        GameResult {
            half_points: told(given, 0, 'half_points')?,
            t: told(given, 1, 't')?,
            steps: told(given, 2, 'steps')?,
            forfeit: *given[3] == 1,
            queue: *given[4] == 1,
            band_a: told(given, 5, 'band')?,
            band_b: told(given, 6, 'band')?,
        },
    )
}

fn flag(value: bool) -> felt252 {
    if value {
        1
    } else {
        0
    }
}
