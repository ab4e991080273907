import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function OverviewPage() {
  return (
    <Page title="Overview">
      <SkeletonRows />
    </Page>
  );
}
