//! The contract: players' felts, tickets, and one call that rates a game. What it computes is in the other modules;
//! here is what it stores, who may call it, and what it tells.

use starknet::ContractAddress;
use super::primitives::Q;
use super::rules::GameResult;

#[starknet::interface]
pub trait IRatings<TContractState> {
    /// The ticket of a game that may be rated once. One that was accepted before stays as it is.
    fn accept(ref self: TContractState, ticket: felt252);

    /// Rates the game of a ticket: three writes, both players and the ticket; one where the game is void. False where
    /// the ticket is not accepted: then nothing changes. Panics with the word for a result that there is not.
    fn rate(
        ref self: TContractState, ticket: felt252, a: ContractAddress, b: ContractAddress, result: GameResult,
    ) -> bool;

    /// Closes a ticket without rating its game. False where the ticket is not accepted: then nothing changes.
    fn void(ref self: TContractState, ticket: felt252, reason: u8) -> bool;

    /// The felt of a player, 0 for one never rated.
    fn player(self: @TContractState, player: ContractAddress) -> felt252;

    /// The slot of a ticket: the status, and above its two bits the reason of a void one.
    fn ticket(self: @TContractState, ticket: felt252) -> felt252;

    /// The win probability of a at t, as Q.
    fn chance(self: @TContractState, a: ContractAddress, b: ContractAddress, t: u64) -> Q;
}

#[starknet::contract]
pub mod ratings {
    use core::panic_with_felt252;
    use starknet::storage::{
        Map, StorageMapReadAccess, StorageMapWriteAccess, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{ContractAddress, get_caller_address};
    use super::super::felt::unpack;
    use super::super::formulas::{aged, chance};
    use super::super::primitives::Q;
    use super::super::rules::GameResult;
    use super::super::tickets::{Ticket, accept, pack_ticket, settle, unpack_ticket, void};
    use super::super::updating::happened;

    #[storage]
    struct Storage {
        operator: ContractAddress,
        players: Map<ContractAddress, felt252>,
        tickets: Map<felt252, felt252>,
    }

    #[event]
    #[derive(Drop, PartialEq, starknet::Event)]
    pub enum Event {
        Accepted: Accepted,
        Rated: Rated,
        Voided: Voided,
    }

    #[derive(Drop, PartialEq, starknet::Event)]
    pub struct Accepted {
        #[key]
        pub ticket: felt252,
    }

    /// With both felts after the game: from these events alone a history can be recounted.
    #[derive(Drop, PartialEq, starknet::Event)]
    pub struct Rated {
        #[key]
        pub ticket: felt252,
        #[key]
        pub a: ContractAddress,
        #[key]
        pub b: ContractAddress,
        pub result: GameResult,
        pub felt_a: felt252,
        pub felt_b: felt252,
    }

    #[derive(Drop, PartialEq, starknet::Event)]
    pub struct Voided {
        #[key]
        pub ticket: felt252,
        pub reason: u8,
    }

    #[constructor]
    fn constructor(ref self: ContractState, operator: ContractAddress) {
        self.operator.write(operator);
    }

    #[abi(embed_v0)]
    impl RatingsImpl of super::IRatings<ContractState> {
        fn accept(ref self: ContractState, ticket: felt252) {
            self.only_operator();
            let before = held(unpack_ticket(self.tickets.read(ticket)));
            if before == Ticket::None {
                self.tickets.write(ticket, pack_ticket(accept(before)));
                self.emit(Accepted { ticket });
            }
        }

        fn rate(
            ref self: ContractState, ticket: felt252, a: ContractAddress, b: ContractAddress, result: GameResult,
        ) -> bool {
            self.only_operator();
            assert(a != b, 'b');
            let slots = (self.tickets.read(ticket), self.players.read(a), self.players.read(b));
            let (slot, felt_a, felt_b) = slots;
            let settled = match held(settle(slot, felt_a, felt_b, result)) {
                Option::Some(settled) => settled,
                Option::None => { return false; },
            };
            self.tickets.write(ticket, settled.ticket);
            if settled.void != 0 {
                self.emit(Voided { ticket, reason: settled.void });
            } else {
                self.players.write(a, settled.a);
                self.players.write(b, settled.b);
                self.emit(Rated { ticket, a, b, result, felt_a: settled.a, felt_b: settled.b });
            }
            true
        }

        fn void(ref self: ContractState, ticket: felt252, reason: u8) -> bool {
            self.only_operator();
            let before = held(unpack_ticket(self.tickets.read(ticket)));
            let after = held(void(before, reason));
            if before == after {
                return false;
            }
            self.tickets.write(ticket, pack_ticket(after));
            self.emit(Voided { ticket, reason });
            true
        }

        fn player(self: @ContractState, player: ContractAddress) -> felt252 {
            self.players.read(player)
        }

        fn ticket(self: @ContractState, ticket: felt252) -> felt252 {
            self.tickets.read(ticket)
        }

        fn chance(self: @ContractState, a: ContractAddress, b: ContractAddress, t: u64) -> Q {
            held(happened(0, t));
            let a = held(unpack(self.players.read(a)));
            let b = held(unpack(self.players.read(b)));
            chance(a.mu, aged(a.mu, a.phi, a.last, t), b.mu, aged(b.mu, b.phi, b.last, t))
        }
    }

    #[generate_trait]
    impl Callers of CallersTrait {
        fn only_operator(self: @ContractState) {
            assert(get_caller_address() == self.operator.read(), 'operator');
        }
    }

    /// What came out; what is refused ends the call with its word, and then nothing is written.
    fn held<T, +Drop<T>>(outcome: Result<T, felt252>) -> T {
        match outcome {
            Result::Ok(value) => value,
            Result::Err(word) => panic_with_felt252(word),
        }
    }
}
