import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function CallPage() {
  return (
    <Page title="Call">
      <SkeletonRows />
    </Page>
  );
}
