// Tests of the contract itself, deployed by the runner of Cairo's own tests: what it stores, who may call it, what it
// tells. Joined to the package's modules by storage.mjs, with the seasons of a file of vectors as SEASONS.

#[cfg(test)]
mod storage_tests {
    use starknet::syscalls::deploy_syscall;
    use starknet::testing::{pop_log, set_contract_address};
    use starknet::{ContractAddress, contract_address_const};
    use super::contract::ratings::{
        Accepted, Event, Rated, RatingsImpl, TEST_CLASS_HASH, Voided, contract_state_for_testing,
    };
    use super::contract::{
        IRatingsDispatcher, IRatingsDispatcherTrait, IRatingsSafeDispatcher, IRatingsSafeDispatcherTrait,
    };
    use super::felt::unpack;
    use super::rules::{GameResult, REFEREE, SHORT};

    const NOW: u64 = 1700000000;

    fn won(steps: u32) -> GameResult {
        GameResult { half_points: 2, t: NOW, steps, forfeit: false, queue: false, band_a: 0, band_b: 4 }
    }

    fn players() -> (ContractAddress, ContractAddress) {
        (contract_address_const::<1>(), contract_address_const::<2>())
    }

    /// A contract with empty storage, and its operator as the caller.
    fn deployed() -> IRatingsDispatcher {
        deployed_at(0)
    }

    /// The same under the address that this salt makes.
    fn deployed_at(salt: felt252) -> IRatingsDispatcher {
        let operator = contract_address_const::<'operator'>();
        let told = array![operator.into()];
        let class_hash = TEST_CLASS_HASH.try_into().unwrap();
        let (contract_address, _) = deploy_syscall(class_hash, salt, told.span(), false).unwrap();
        set_contract_address(operator);
        IRatingsDispatcher { contract_address }
    }

    fn event(contract: IRatingsDispatcher) -> Option<Event> {
        pop_log(contract.contract_address)
    }

    /// A season: how many felts its calls have, these, how many its slots have, and these: is it a ticket, whose, felt.
    #[test]
    fn seasons_leave_the_slots_of_their_vectors() {
        let mut file = super::SEASONS.span();
        assert(!file.is_empty(), 'no seasons');
        while !file.is_empty() {
            let contract = deployed_at(file.len().into());
            let mut calls = part(ref file);
            while !calls.is_empty() {
                called(contract, calls);
                calls = calls.slice(12, calls.len() - 12);
            };
            set_contract_address(contract.contract_address);
            let kept = contract_state_for_testing();
            let mut slots = part(ref file);
            while !slots.is_empty() {
                let (is_ticket, key, felt) = (*slots[0], *slots[1], *slots[2]);
                let there = if is_ticket == 1 {
                    kept.ticket(key)
                } else {
                    kept.player(key.try_into().unwrap())
                };
                assert(there == felt, 'another felt');
                slots = slots.slice(3, slots.len() - 3);
            };
        };
    }

    fn part(ref file: Span<felt252>) -> Span<felt252> {
        let count: usize = (*file[0]).try_into().unwrap();
        let part = file.slice(1, count);
        file = file.slice(1 + count, file.len() - 1 - count);
        part
    }

    fn called(contract: IRatingsDispatcher, call: Span<felt252>) {
        let (action, ticket) = (*call[0], *call[1]);
        if action == 'accept' {
            contract.accept(ticket);
        } else if action == 'void' {
            contract.void(ticket, (*call[2]).try_into().unwrap());
        } else {
            let (a, b) = ((*call[3]).try_into().unwrap(), (*call[4]).try_into().unwrap());
            let mut told = call.slice(5, 7);
            contract.rate(ticket, a, b, Serde::deserialize(ref told).unwrap());
        }
    }

    #[test]
    fn a_rated_game_is_told_with_both_felts() {
        let contract = deployed();
        let (a, b) = players();
        contract.accept(7);
        assert(event(contract) == Option::Some(Event::Accepted(Accepted { ticket: 7 })), 'accepted');
        contract.accept(7);
        assert(event(contract).is_none(), 'accepted once');
        assert(contract.rate(7, a, b, won(20)), 'rates');
        let (felt_a, felt_b) = (contract.player(a), contract.player(b));
        let rated = Rated { ticket: 7, a, b, result: won(20), felt_a, felt_b };
        assert(event(contract) == Option::Some(Event::Rated(rated)), 'rated');
        assert(unpack(felt_a).unwrap().wins == 1 && unpack(felt_b).unwrap().losses == 1, 'the record');
        assert(!contract.rate(7, a, b, won(20)), 'rates once');
        assert(!contract.void(7, REFEREE), 'a rated game stays');
        assert(event(contract).is_none(), 'told once');
        assert(contract.player(a) == felt_a && contract.player(b) == felt_b && contract.ticket(7) == 2, 'unchanged');
    }

    #[test]
    fn a_void_game_is_told_with_its_reason() {
        let contract = deployed();
        let (a, b) = players();
        contract.accept(7);
        contract.accept(8);
        let (_, _) = (event(contract), event(contract));
        assert(contract.rate(7, a, b, won(19)), 'settles');
        assert(event(contract) == Option::Some(Event::Voided(Voided { ticket: 7, reason: SHORT })), 'short');
        assert(contract.void(8, REFEREE), 'closes');
        assert(event(contract) == Option::Some(Event::Voided(Voided { ticket: 8, reason: REFEREE })), 'referee');
        assert(!contract.rate(9, a, b, won(20)), 'never accepted');
        assert(!contract.void(9, REFEREE), 'nothing to close');
        assert(event(contract).is_none(), 'told once');
        assert(contract.player(a) == 0 && contract.player(b) == 0, 'nobody is rated');
    }

    #[test]
    fn chances_are_those_at_the_time_asked() {
        let contract = deployed();
        let (a, b) = players();
        assert(contract.chance(a, b, NOW) == 0x80000000, 'two newcomers');
        contract.accept(7);
        contract.rate(7, a, b, won(20));
        let (now, later) = (contract.chance(a, b, NOW), contract.chance(a, b, NOW + 86400 * 90));
        assert(now > later && later > 0x80000000, 'the winner, less and less');
        assert(now + contract.chance(b, a, NOW) - 0x100000000 < 2, 'of both');
    }

    #[test]
    #[feature("safe_dispatcher")]
    fn what_is_refused_is_told_by_its_word_and_changes_nothing() {
        let contract = deployed();
        let (a, b) = players();
        contract.accept(7);
        let asked = IRatingsSafeDispatcher { contract_address: contract.contract_address };
        assert(refused(asked.rate(7, a, a, won(20)), 'b'), 'nobody plays oneself');
        assert(refused(asked.rate(7, a, b, GameResult { band_b: 5, ..won(20) }), 'band'), 'no such band');
        assert(refused(asked.void(7, 6), 'reason'), 'no such reason');
        set_contract_address(a);
        assert(refused(asked.accept(8), 'operator'), 'others accept nothing');
        assert(refused(asked.rate(7, a, b, won(20)), 'operator'), 'others rate nothing');
        assert(refused(asked.void(7, REFEREE), 'operator'), 'others void nothing');
        assert(contract.ticket(7) == 1 && contract.ticket(8) == 0, 'tickets as they were');
        assert(contract.player(a) == 0 && contract.player(b) == 0, 'nobody is rated');
    }

    /// Whether a call ended with this word.
    fn refused<T, +Drop<T>>(outcome: Result<T, Array<felt252>>, word: felt252) -> bool {
        match outcome {
            Result::Ok(_) => false,
            Result::Err(said) => said == array![word, 'ENTRYPOINT_FAILED'],
        }
    }
}
