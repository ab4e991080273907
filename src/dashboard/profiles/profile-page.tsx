import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function ProfilePage() {
  return (
    <Page title="Profile">
      <SkeletonRows />
    </Page>
  );
}
