import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function BillingPage() {
  return (
    <Page title="Billing">
      <SkeletonRows />
    </Page>
  );
}
