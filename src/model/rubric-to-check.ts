/** A rubric as JSON, or only some of its parts, and where it stands in the request. */
export type RubricToCheck = { json: string; isWhole: boolean; within: readonly string[] };
