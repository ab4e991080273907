import { useReadableMessages } from '../../lib/messages.ts';

// For forms validated by the service's schemas: the same messages as the service's.
useReadableMessages();
