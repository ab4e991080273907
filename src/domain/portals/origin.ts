/** Of the pages that frame the app. A portal of one's own machine, for development, is the only one that need not be encrypted. */
export function originOf(domain: string): string {
  const isLoopback = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(domain);
  return `${isLoopback ? 'http' : 'https'}://${domain}`;
}
