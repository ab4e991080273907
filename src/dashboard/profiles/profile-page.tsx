import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTRPC } from '../lib/trpc.ts';
import { useCan } from '../session/me.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorState, NoPermission, SkeletonRows } from '../ui/states.tsx';
import { ProfileEditor } from './editor/profile-editor.tsx';

/** One rubric: view it, edit it, try it on a call. */
export function ProfilePage() {
  const can = useCan();
  const { id } = useParams({ from: '/app/profiles/$id' });
  const { version } = useSearch({ from: '/app/profiles/$id' });
  if (can('profiles:read')) return <Profile key={`${id}:${version ?? 'current'}`} />;
  return (
    <Page title="Profile">
      <NoPermission />
    </Page>
  );
}

function Profile() {
  const trpc = useTRPC();
  const { id } = useParams({ from: '/app/profiles/$id' });
  const { version } = useSearch({ from: '/app/profiles/$id' });
  const current = useQuery(trpc.profiles.get.queryOptions({ id }));
  const isEarlier = version !== undefined && version !== current.data?.version;
  const shown = useQuery(trpc.profiles.get.queryOptions({ id, version }, { enabled: version !== undefined }));
  const profile = version === undefined ? current : shown;
  if (profile.data && current.data)
    return <ProfileEditor profile={profile.data} latest={current.data.version} isEarlier={isEarlier} />;
  return (
    <Page title="Profile" back={<BackLink to="/profiles">All profiles</BackLink>}>
      <Card isFlush>
        {profile.isError ? (
          <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />
        ) : (
          <SkeletonRows rows={8} className="h-16" />
        )}
      </Card>
    </Page>
  );
}
