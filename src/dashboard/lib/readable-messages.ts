import { useReadableMessages } from '../../lib/messages.ts';

// For forms that check by the service's own schemas: mistakes are told in the words that the service would use.
useReadableMessages();
