import { examine } from '../doctor/doctor.ts';
import { loadConfig } from '../config/config.ts';
import { table, type Result } from './output.ts';
import type { Session } from './session.ts';

const marks = { ok: 'ok', warning: 'WARN', error: 'ERROR' };

/** The findings, one line each. `isWell` is false if there is an error. */
export async function consult(session: Session): Promise<Result & { isWell: boolean }> {
  const config = loadConfig();
  const { openStorage } = await import('../setup/open-storage.ts');
  const storage = await openStorage(config);
  const findings = await examine({ config, storage, openServer: () => session.server() });
  const isWell = findings.every(({ state }) => state !== 'error');
  const text = table(findings.map(({ check, state, message }) => [marks[state], check, message]));
  return { data: { isWell, findings }, text, isWell };
}
