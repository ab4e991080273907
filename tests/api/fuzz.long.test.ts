import { fuzzEveryOperation, manyRequests } from './fuzzing.ts';

fuzzEveryOperation({ requestsMin: manyRequests });
