import type { LucideIcon } from 'lucide-react';
import {
  Bell,
  CreditCard,
  FolderKanban,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  PhoneCall,
  Users,
  Webhook,
} from 'lucide-react';
import type { Permission } from '../../auth/permissions.ts';

type Destination = { to: string; label: string; icon: LucideIcon; permission: Permission };

/** Entries of the side bar, by permission. */
export const destinations: { title: string | null; items: Destination[] }[] = [
  {
    title: null,
    items: [
      { to: '/', label: 'Overview', icon: LayoutDashboard, permission: 'analyses:read' },
      { to: '/calls', label: 'Calls', icon: PhoneCall, permission: 'records:read' },
      { to: '/alerts', label: 'Alerts', icon: Bell, permission: 'alerts:read' },
    ],
  },
  {
    title: 'Quality',
    items: [
      { to: '/projects', label: 'Projects', icon: FolderKanban, permission: 'projects:read' },
      { to: '/profiles', label: 'Profiles', icon: ListChecks, permission: 'profiles:read' },
    ],
  },
  {
    title: 'Organization',
    items: [
      { to: '/team', label: 'Team', icon: Users, permission: 'users:list' },
      { to: '/billing', label: 'Billing', icon: CreditCard, permission: 'billing:read' },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook, permission: 'webhooks:read' },
      { to: '/settings/api-keys', label: 'API keys', icon: KeyRound, permission: 'tokens:own' },
    ],
  },
];
