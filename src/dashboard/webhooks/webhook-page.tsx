import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function WebhookPage() {
  return (
    <Page title="Webhook">
      <SkeletonRows />
    </Page>
  );
}
