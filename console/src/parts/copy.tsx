// A button that copies text and says so itself: a message of the page is hidden behind a dialog. A browser allows copying
// only in pages that came over HTTPS or from this machine.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export function Copy({ text, children }: { text: string; children: ComponentChildren }) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const refused = (): void => setOutcome('The browser does not allow copying');
  const copy = (): void => {
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => setOutcome('Copied'), refused);
    else refused();
  };
  return <button type="button" onClick={copy}>{outcome ?? children}</button>;
}
