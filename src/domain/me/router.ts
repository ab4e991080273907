import { NoInput } from '../../trpc/input.ts';
import { personOperationsOf, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { Me } from './schemas.ts';
import { getMe } from './service.ts';

const operation = personOperationsOf('Users', examples);

export const meRouter = router({
  get: operation('getMe', {
    route: 'GET /me',
    summary: 'Learn who you are',
    description:
      'The user behind the credential, their organizations and roles, and the API token itself, if it is one. Needs no `X-Selected-Org-ID`; where it is sent, `selected` tells what you may do there. A good first request.',
  })
    .input(NoInput)
    .output(Me)
    .query(({ ctx }) => getMe(ctx.person)),
});
