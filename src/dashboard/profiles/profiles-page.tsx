import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function ProfilesPage() {
  return (
    <Page title="Profiles">
      <SkeletonRows />
    </Page>
  );
}
