export * from './analyses.ts';
export * from './annotations.ts';
export * from './engine.ts';
export * from './orgs.ts';
export * from './outbox.ts';
export * from './projects.ts';
export * from './records.ts';
export * from './reviews.ts';
