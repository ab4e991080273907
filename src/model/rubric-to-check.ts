/** A rubric as JSON, or parts of one, and its path in the request. */
export type RubricToCheck = { json: string; isWhole: boolean; within: readonly string[] };
