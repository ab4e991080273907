import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function AlertsPage() {
  return (
    <Page title="Alerts">
      <SkeletonRows />
    </Page>
  );
}
