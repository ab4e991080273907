import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import type { Standing } from './use-standing.ts';

/** Why the scores cannot be reviewed now, and what to do. */
export function StandingNote({ standing }: { standing: Exclude<Standing, 'counts'> }) {
  const navigate = useNavigate({ from: '/calls/$id' });
  return (
    <div
      role="status"
      className="mb-3 grid justify-items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn"
    >
      {standing === 'superseded' ? (
        <>
          <p>A later version has replaced this one. Only the current version can be reviewed.</p>
          <Button size="sm" onClick={() => void navigate({ search: (now) => ({ ...now, analysis: undefined }) })}>
            Show the current version
          </Button>
        </>
      ) : (
        <p>The call is being analyzed again. Review the new version when it appears here.</p>
      )}
    </div>
  );
}
