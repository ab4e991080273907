import { useNavigate, useSearch } from '@tanstack/react-router';
import { IntegrationsTab } from '../integrations/integrations-tab.tsx';
import { useCan } from '../session/me.tsx';
import { Page } from '../ui/page.tsx';
import { NoPermission } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { WebhooksTab } from './webhooks-tab.tsx';

/** Where events are sent, and the systems that calls come from. */
export function WebhooksPage() {
  const can = useCan();
  const { tab = 'webhooks' } = useSearch({ from: '/app/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  if (!can('webhooks:read')) {
    return (
      <Page title="Webhooks">
        <NoPermission />
      </Page>
    );
  }
  if (!can('portals:read')) {
    return (
      <Page title="Webhooks" description="Your addresses that receive events from here.">
        <WebhooksTab />
      </Page>
    );
  }
  return (
    <Page title="Webhooks" description="Your addresses that receive events, and the systems that calls come from.">
      <Tabs
        label="Webhooks and integrations"
        value={tab}
        onChange={(next) => void navigate({ search: next === 'webhooks' ? {} : { tab: next } })}
        tabs={[
          { value: 'webhooks', label: 'Webhooks', content: <WebhooksTab /> },
          { value: 'integrations', label: 'Integrations', content: <IntegrationsTab /> },
        ]}
      />
    </Page>
  );
}
