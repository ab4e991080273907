/** How far each kind of work makes way for whoever answers requests, as `nice` counts: the service itself is 0. */
export const niceness = { database: 5, tool: 5, heavyWork: 15 };

/** Among sessions. Less: it counts against all other programs of the machine, and what somebody waits for must not starve. */
export const sessionNiceness = 5;
