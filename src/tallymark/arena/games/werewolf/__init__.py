"""Werewolf for five to eight: hidden roles, nights, speeches, votes; two teams, one result."""
