import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function TeamPage() {
  return (
    <Page title="Team">
      <SkeletonRows />
    </Page>
  );
}
