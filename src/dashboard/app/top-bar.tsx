import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { Logo } from './logo.tsx';
import { SideBar } from './side-bar.tsx';

/** For phones and narrow windows: opens the side bar over the screen. */
export function TopBar() {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  useEffect(() => router.subscribe('onResolved', () => setOpen(false)), [router]);
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b border-line bg-surface px-3 lg:hidden">
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger
          render={<IconButton label="Open navigation" icon={<MenuIcon className="size-5" aria-hidden />} />}
        />
        <Dialog.Portal>
          <Dialog.Backdrop data-backdrop className="fixed inset-0 z-40 bg-black/40" />
          <Dialog.Popup
            aria-label="Navigation"
            className="fixed inset-y-0 left-0 z-50 w-64 border-r border-line bg-surface shadow-float transition-transform data-[ending-style]:-translate-x-full data-[starting-style]:-translate-x-full"
          >
            <Dialog.Close
              render={
                <IconButton
                  label="Close navigation"
                  className="absolute top-2 right-2"
                  icon={<X className="size-5" aria-hidden />}
                />
              }
            />
            <SideBar />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <span className="flex items-center gap-2 font-semibold">
        <Logo />
        Earshot
      </span>
    </header>
  );
}
