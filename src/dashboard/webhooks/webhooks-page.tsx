import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function WebhooksPage() {
  return (
    <Page title="Webhooks">
      <SkeletonRows />
    </Page>
  );
}
