/** Spellings of this machine that an operating system or a library would take for it. PORT is put in. */
export const loopbackUrls = [
  'http://127.0.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::7f00:1]:PORT/',
  'http://[::1]:PORT/',
  'http://0:PORT/',
  'https://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'https://localhost:PORT/',
];

/** What a name must not resolve to. */
export const privateAddresses = ['10.0.0.1', '169.254.169.254', '100.64.0.1', '::ffff:127.0.0.1', 'fd00:ec2::254'];

/** Where a redirect must not lead. */
export const privateUrls = [
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  '//10.0.0.1/',
];

export const otherSchemes = ['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1/', 'data:text/plain,x'];

export const brokenUrls = ['http://user:secret@127.0.0.1/', 'http://user@127.0.0.1/', 'not a url', 'http://', ''];
