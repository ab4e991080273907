import fastify from 'fastify';
import postgres from 'postgres';
import type { Statement } from './records-cases.ts';

/** What the service is measured against: Fastify, postgres.js and the same statements, nothing else. Prints its address. */
type Input = { databaseUrl: string; cases: { path: string; statements: Statement[] }[] };

const { databaseUrl, cases } = JSON.parse(process.argv[2] ?? '{}') as Input;
const sql = postgres(databaseUrl, { max: 10, onnotice: () => {} });
const app = fastify();
for (const [index, { statements }] of cases.entries()) {
  app.get(`/${index}`, async () => {
    const [rows, ...counts] = await Promise.all(
      statements.map(({ text, parameters }) => sql.unsafe(text, parameters as never[], { prepare: true })),
    );
    return { data: rows, meta: { total: counts } };
  });
}
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.once('SIGTERM', () => {
  void app.close().then(() => sql.end());
});
