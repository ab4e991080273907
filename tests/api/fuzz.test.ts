import { fuzzEveryOperation } from './fuzzing.ts';

/** The whole of it is in fuzz.long.test.ts. */
fuzzEveryOperation({ requestsMin: 1_500 });
