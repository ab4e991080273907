/* Shows the document. What is typed in, a token too, lives in this page and goes with it. */
globalThis.Scalar.createApiReference('#docs', {
  url: '/docs/openapi.json',
  layout: 'modern',
  theme: 'none',
  // Nothing of this page is asked of, or told to, another host.
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  // The samples are ours: those that a test runs.
  hiddenClients: true,
  documentDownloadType: 'none',
  operationTitleSource: 'summary',
  onLoaded: showGuides,
  authentication: { preferredSecurityScheme: [['Token', 'Organization']] },
});

/** Its guides are what a newcomer looks for. */
function showGuides() {
  const item = document.querySelector('[data-sidebar-id$="description/introduction"]');
  const button = item?.querySelector('button[aria-expanded="false"]');
  button?.click();
}
