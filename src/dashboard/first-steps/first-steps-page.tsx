import { useCan } from '../session/me.tsx';
import { Page } from '../ui/page.tsx';
import { NoPermission } from '../ui/states.tsx';
import { FirstSteps } from './first-steps.tsx';

export function FirstStepsPage() {
  const can = useCan();
  return <Page title="First steps">{can('orgs:update') ? <FirstSteps /> : <NoPermission />}</Page>;
}
