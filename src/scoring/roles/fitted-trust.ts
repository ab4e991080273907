/** Fitted by `tests/bench/roles/main.ts --write`; see docs/decisions/0078-who-speaks-on-one-track.md. */
export const fittedTrust = [0.257, -0.259, -0.284, 0.965, 1.004, 1.183, -1.35];
