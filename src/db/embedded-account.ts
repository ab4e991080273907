import { readFile, stat } from 'node:fs/promises';
import { StartError } from '../lib/start-error.ts';

/** The user and group that Postgres runs as; `undefined` means the user of this process. */
export type Account = { uid: number; gid: number };

type PasswdEntry = Account & { name: string };

/**
 * Postgres refuses to run as root, so root runs it as the owner of the data folder if that is an ordinary user, else as
 * `nobody`. Throws if there is no such user.
 */
export async function findAccount(folders: string[]): Promise<Account | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const users = await readPasswd();
  for (const folder of folders) {
    const owner = await stat(folder).catch(() => undefined);
    // initdb looks up its own user by id, so an id without a name is useless.
    if (owner && owner.uid !== 0 && users.some((user) => user.uid === owner.uid))
      return { uid: owner.uid, gid: owner.gid };
  }
  const nobody = users.find((user) => user.name === 'nobody');
  if (!nobody) {
    throw new StartError(
      'Postgres does not run as root and this system has no user "nobody": start Earshot as an ordinary user.',
    );
  }
  return { uid: nobody.uid, gid: nobody.gid };
}

/** The user's name, else its number. */
export async function userNameOf(uid: number): Promise<string> {
  return (await readPasswd()).find((user) => user.uid === uid)?.name ?? String(uid);
}

async function readPasswd(): Promise<PasswdEntry[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || name.startsWith('#') || uid === undefined || gid === undefined) return [];
    // macOS reports the ids of `nobody` as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
