/** How far each kind of work yields to request handling, as `nice` counts: the event loop itself is 0. */
export const niceness = { v8Helpers: 5, database: 10, tool: 10, heavyWork: 19 };

/** Among sessions. Less: it counts against all other programs of the machine, and what somebody waits for must not starve. */
export const sessionNiceness = 5;
