// The keys of the present page.
import { available, Dialog, helpShown, keysOn, keyWords, switchKeys } from '../shared.ts';

export function Help() {
  if (!helpShown.value) return null;
  const close = (): void => { helpShown.value = false; };
  const commands = available.value.filter((it) => it.keys.length > 0);
  return (
    <Dialog title="Keys of this page" class="help" onClose={close}>
      <header><h2>Keys of this page</h2><button type="button" onClick={close} aria-label="Close">✕</button></header>
      <div class="key-groups">
        {[...new Set(commands.map((it) => it.group))].map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {commands.filter((it) => it.group === group).map((it) => (
                <div key={it.id}><dt>{it.keys.map((key) => <kbd key={key}>{keyWords(key)}</kbd>)}</dt><dd>{it.title}</dd></div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>In a list, the arrow keys, Page up, Page down, Home and End move, Space marks, and Shift with an arrow marks a range.</p>
      <label class="check"><input type="checkbox" checked={keysOn.value} onChange={(event) => switchKeys(event.currentTarget.checked)} /> Keys without Ctrl or ⌘ are on</label>
    </Dialog>
  );
}
