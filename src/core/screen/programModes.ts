import type { Terminal } from '@xterm/headless';
import { type Disposable, DisposableStore } from '../../base/lifecycle';

type Params = (number | number[])[];

/** What a program has set that xterm.js does not tell of. RIS sets the modes back. */
export class ProgramModes implements Disposable {
  private readonly store = new DisposableStore();
  /** It takes mouse reports as numbers (DECSET 1006). */
  sgrMouse = false;
  /** DECTCEM. */
  isCursorHidden = false;
  /** It has put the cursor to absolute places (CUP, HVP, VPA) since this was set to false. */
  isAddressed = false;

  constructor({ parser }: Terminal) {
    const follow = (isOn: boolean) => (params: Params) => this.set(params, isOn);
    this.store.add(parser.registerCsiHandler({ prefix: '?', final: 'h' }, follow(true)));
    this.store.add(parser.registerCsiHandler({ prefix: '?', final: 'l' }, follow(false)));
    this.store.add(parser.registerEscHandler({ final: 'c' }, () => this.set([1006, 25], false, true)));
    for (const final of 'Hfd') this.store.add(parser.registerCsiHandler({ final }, () => this.addressed()));
  }

  /** False lets xterm.js do its own part, too. */
  private set(params: Params, isOn: boolean, isCursorShown = isOn): false {
    if (params.includes(1006)) this.sgrMouse = isOn;
    if (params.includes(25)) this.isCursorHidden = !isCursorShown;
    return false;
  }

  private addressed(): false {
    this.isAddressed = true;
    return false;
  }

  dispose(): void {
    this.store.dispose();
  }
}
