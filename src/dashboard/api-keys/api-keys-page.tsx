import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function ApiKeysPage() {
  return (
    <Page title="ApiKeys">
      <SkeletonRows />
    </Page>
  );
}
