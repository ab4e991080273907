import { Command, InvalidArgumentError, Option } from 'commander';
import { roles, type Role } from '../model/role.ts';
import type { PullFlags } from './models.ts';
import { print } from './output.ts';
import type { Session } from './session.ts';

const creditTypes = ['grant', 'purchase', 'refund', 'expiry'];

type Flags = { json?: boolean };

/** The operator's command line. Its commands work on the database itself, whether or not the service runs. */
export function buildProgram({ session }: { session: Session }): Command {
  const program = new Command('admin')
    .description('Commands for operators: organizations, tokens, users, the pipeline.')
    .option('--verbose', 'log to stderr')
    .showHelpAfterError('Try --help.')
    .exitOverride();
  addTenancy(program, session);
  addPortals(program, session);
  addBilling(program, session);
  addPipeline(program, session);
  addModels(program);
  addBackup(program, session);
  addRedaction(program, session);
  withJson(program.command('openapi'))
    .description('write the OpenAPI document; needs no database')
    .option('--out <file>', 'file to write; stdout by default')
    .option('--server <url>', 'base address of the API, instead of /api/v1')
    .action(async (flags: Flags & { out?: string; server?: string }) => {
      const { writeDocument } = await import('./document.ts');
      print(await writeDocument(flags), flags);
    });
  return program;
}

function addTenancy(program: Command, session: Session): void {
  const tenancy = () => import('./tenancy.ts');
  const org = program.command('org').description('organizations');
  withJson(org.command('create'))
    .description('create an organization with its owner, a first project and a token')
    .requiredOption('--name <name>', 'name of the organization')
    .requiredOption('--owner <email>', 'e-mail address of the owner; created if there is no such user')
    .action(async (flags: Flags & { name: string; owner: string }) =>
      print(await (await tenancy()).createOrganization(session, flags), flags),
    );
  withJson(org.command('second-factor'))
    .description('whether owners need a second factor to sign in; who has none sets one up at the next sign-in')
    .requiredOption('--org <id>', 'organization')
    .addOption(
      new Option('--owners <rule>', 'what counts from the next sign-in')
        .choices(['required', 'optional'])
        .makeOptionMandatory(),
    )
    .action(async (flags: Flags & { org: string; owners: string }) => {
      const { setSecondFactor } = await import('./second-factor.ts');
      print(await setSecondFactor(session, flags), flags);
    });
  withJson(program.command('token').description('API tokens').command('create'))
    .description('create an API token for a member')
    .requiredOption('--org <id>', 'organization that the token is for')
    .requiredOption('--user <id>', 'member that it acts as')
    .option('--name <name>', 'what it is for', 'Made by the operator')
    .option('--expires <date>', 'ISO 8601 date or date-time; default: never', parseFutureDate)
    .action(async (flags: Flags & { org: string; user: string; name: string; expires?: Date }) =>
      print(await (await tenancy()).createToken(session, flags), flags),
    );
  const user = program.command('user').description('members, and how they sign in');
  addAccounts(user, session);
  addMatches(user, session);
  withJson(user.command('add'))
    .description('add a user to an organization')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--email <address>', 'e-mail address of the user; created if there is no such user')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).makeOptionMandatory())
    .option('--project <id...>', 'only these projects; default: all')
    .action(async (flags: Flags & { org: string; email: string; role: Role; project?: string[] }) =>
      print(await (await tenancy()).addUser(session, flags), flags),
    );
}

function addAccounts(user: Command, session: Session): void {
  const accounts = () => import('./accounts.ts');
  withJson(user.command('link').argument('<email>', 'e-mail address of a user'))
    .description('make a link by which somebody chooses a password; it works once, for an hour')
    .action(async (email: string, flags: Flags) => print(await (await accounts()).makeLink(session, email), flags));
  withJson(user.command('reset').argument('<email>', 'e-mail address of a user'))
    .description('end all sign-ins of somebody, and make a link by which they choose a new password')
    .option('--passkeys', 'remove all passkeys, for somebody who has lost them')
    .option('--totp', 'switch off the authenticator app and its recovery codes')
    .action(async (email: string, flags: Flags & { passkeys?: boolean; totp?: boolean }) =>
      print(await (await accounts()).reset(session, email, flags), flags),
    );
}

function addMatches(user: Command, session: Session): void {
  const matches = () => import('./matches.ts');
  withJson(user.command('matches'))
    .description('list sign-ins at the identity provider with the address of somebody who has been here')
    .action(async (flags: Flags) => print(await (await matches()).list(session), flags));
  withJson(user.command('confirm').argument('[id]', 'match'))
    .description('confirm that a sign-in is the person with its address, also one that was refused')
    .option('--all', 'whoever waits, unless several wait for the same person')
    .action(async (id: string | undefined, flags: Flags & { all?: boolean }) =>
      print(await (await matches()).confirm(session, id, flags), flags),
    );
  withJson(user.command('refuse').argument('<id>', 'match'))
    .description('refuse a sign-in: it stays without an organization')
    .action(async (id: string, flags: Flags) => print(await (await matches()).refuse(session, id), flags));
}

function addPortals(program: Command, session: Session): void {
  withJson(program.command('portal').description('CRM portals').command('link'))
    .description('link a Bitrix24 portal to an organization, so that people can open the app in it')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--domain <domain>', 'domain of the portal, such as acme.bitrix24.com')
    .requiredOption('--member-id <id>', 'id of the portal (member_id), which stays when its domain changes')
    .option('--project <id>', 'project for the calls of the portal; without it, no calls are taken')
    .action(async (flags: Flags & { org: string; domain: string; memberId: string; project?: string }) => {
      const { link } = await import('./portals.ts');
      print(await link(session, flags), flags);
    });
}

function addBilling(program: Command, session: Session): void {
  withJson(program.command('credits').description('credits of organizations').command('grant'))
    .description(
      'add to the balance of an organization, in the currency of the prices; only the budget limits processing',
    )
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--amount <amount>', 'how many credits, with at most 4 decimals')
    .requiredOption('--description <text>', 'description that members see')
    .addOption(
      new Option('--type <type>', 'kind of entry; an expiry subtracts the amount')
        .choices(creditTypes)
        .default('grant'),
    )
    .action(async (flags: Flags & { org: string; amount: string; description: string; type: string }) => {
      const { addCredits } = await import('./billing.ts');
      print(await addCredits(session, flags), flags);
    });
}

function addRedaction(program: Command, session: Session): void {
  withJson(program.command('redact'))
    .description('redact calls that were processed before their project turned redaction on')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--project <id>', 'project; its setting redactPii has to be on')
    .action(async (flags: Flags & { org: string; project: string }) => {
      const { redact } = await import('./redaction.ts');
      print(await redact(session, flags), flags);
    });
}

function addPipeline(program: Command, session: Session): void {
  const pipeline = () => import('./pipeline.ts');
  const outbox = program.command('outbox').description('events for the pipeline');
  withJson(outbox.command('redeliver'))
    .description('announce open orders again')
    .action(async (flags: Flags) => print(await (await pipeline()).redeliverOrders(session), flags));
  withJson(outbox.command('status'))
    .description('how many events are waiting for the pipeline, and which orders are open')
    .action(async (flags: Flags) => print(await (await pipeline()).showOutbox(session), flags));
  const runs = program.command('runs').description('runs of the embedded pipeline engine');
  withJson(runs.command('list'))
    .description('list runs, newest first')
    .option('--failed', 'only those that have failed')
    .option('--limit <number>', 'how many at most', parseCount, 50)
    .action(async (flags: Flags & { failed?: boolean; limit: number }) =>
      print(await (await pipeline()).showRuns(session, flags), flags),
    );
  withJson(runs.command('status'))
    .description('what is queued, by function, and for how long')
    .action(async (flags: Flags) => print(await (await pipeline()).showQueue(session), flags));
  withJson(runs.command('retry').argument('<id>', 'run'))
    .description('resume a failed run after its last completed step, or retry the record that it failed')
    .action(async (id: string, flags: Flags) => print(await (await pipeline()).retryOneRun(session, id), flags));
}

function addBackup(program: Command, session: Session): void {
  const load = () => import('./backup.ts');
  withJson(program.command('backup'))
    .description('back up the database, the recordings and the key, whether or not the service runs')
    .requiredOption('--to <place>', 'a new file that ends in .tar, or a new folder')
    .option('--no-key', 'leave out DATA_DIR/secrets.key, which opens the sealed secrets')
    .action(async (flags: Flags & { to: string; key: boolean }) =>
      print(await (await load()).writeBackup(session, flags), flags),
    );
  withJson(program.command('restore'))
    .description('restore a backup into an empty database and an empty storage')
    .requiredOption('--from <place>', 'file or folder of a backup')
    .action(async (flags: Flags & { from: string }) => print(await (await load()).readBackup(session, flags), flags));
  withJson(program.command('doctor'))
    .description('check everything that the service relies on; exit code 1 if there is an error')
    .action(async (flags: Flags) => {
      const { consult } = await import('./doctor.ts');
      const result = await consult(session);
      print(result, flags);
      if (!result.isWell) process.exitCode = 1;
    });
}

/** These need only the data folder, no database. */
function addModels(program: Command): void {
  const load = () => import('./models.ts');
  const models = program.command('models').description('models of the local recogniser, in DATA_DIR/models');
  withJson(models.command('list'))
    .description('list the installed models and those that can be fetched')
    .action(async (flags: Flags) => print((await load()).listModels(), flags));
  withJson(models.command('pull').argument('<name>', 'model of the catalogue'))
    .description('fetch a model; an interrupted download is resumed')
    .option('--alone', 'without the companion models that improve every recogniser')
    .option('--sha256 <file=checksum...>', 'checksum that a file must have, instead of the one in the catalogue')
    .action(async (name: string, flags: Flags & PullFlags) => print(await (await load()).pull(name, flags), flags));
  withJson(models.command('remove').argument('<name>', 'model'))
    .description('remove a model')
    .action(async (name: string, flags: Flags) => print(await (await load()).remove(name), flags));
}

function withJson(command: Command): Command {
  return command.option('--json', 'print the result as one line of JSON');
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) throw new InvalidArgumentError('Expected 1 to 1000.');
  return count;
}

function parseFutureDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('Expected an ISO 8601 date.');
  if (date <= new Date()) throw new InvalidArgumentError('Expected a date in the future.');
  return date;
}
