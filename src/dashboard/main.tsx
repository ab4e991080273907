import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createAppRouter } from './app/router.tsx';
import { openFrame } from './session/frame.ts';
import { readSettings } from './lib/settings.ts';
import { createClient, createQueryClient } from './lib/trpc.ts';
import { createFrameSession, createOidcSession } from './session/session.ts';
import './styles.css';

const settings = readSettings();
const { frame } = settings;
const session = frame ? createFrameSession(() => openFrame(frame)) : createOidcSession(settings);
const queryClient = createQueryClient();
const client = createClient(session);
const router = createAppRouter({ session, queryClient, client, settings });

const root = document.getElementById('root');
if (root) createRoot(root).render(<App {...{ router, queryClient, client }} />);
