import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const service = process.env.EARSHOT_URL ?? 'http://127.0.0.1:3000';
const proxied = ['/api', '/oidc', '/media', '/embedded', '/docs', '/openapi.json', '/settings.json'];

/** The dashboard alone: the service runs its TypeScript as it is. */
export default defineConfig({
  root: 'src/dashboard',
  plugins: [
    react(),
    tailwindcss(),
    compression({ include: /\.(?:js|css|svg|json)$/, algorithms: ['gzip', 'brotliCompress'] }),
  ],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Fonts as data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: service }])),
  },
});
