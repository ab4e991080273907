/**
 * The origin of pages that frame the app. Only a portal on this machine, for development, may do without encryption.
 */
export function originOf(domain: string): string {
  const isLoopback = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(domain);
  return `${isLoopback ? 'http' : 'https'}://${domain}`;
}
