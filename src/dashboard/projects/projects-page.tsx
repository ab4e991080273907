import { Page } from '../ui/page.tsx';
import { SkeletonRows } from '../ui/states.tsx';

export function ProjectsPage() {
  return (
    <Page title="Projects">
      <SkeletonRows />
    </Page>
  );
}
