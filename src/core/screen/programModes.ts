import type { Terminal } from '@xterm/headless';
import { type Disposable, DisposableStore } from '../../base/lifecycle';

type Params = (number | number[])[];

/** The modes of DECSET that lead to the alternate screen. */
const alternates = [47, 1047, 1049];

/** What a program has set that xterm.js does not tell of. RIS sets the modes back. */
export class ProgramModes implements Disposable {
  private readonly store = new DisposableStore();
  /** It takes mouse reports as numbers (DECSET 1006). */
  sgrMouse = false;
  /** DECTCEM. */
  isCursorHidden = false;
  /** It has put the cursor to places other than the corner (CUP, HVP, VPA) since this was set to false. What clears the screen goes to the corner, too. */
  isAddressed = false;

  constructor({ parser }: Terminal) {
    const follow = (isOn: boolean) => (params: Params) => this.set(params, isOn);
    this.store.add(parser.registerCsiHandler({ prefix: '?', final: 'h' }, follow(true)));
    this.store.add(parser.registerCsiHandler({ prefix: '?', final: 'l' }, follow(false)));
    this.store.add(parser.registerEscHandler({ final: 'c' }, () => this.set([1006, 25], false, true)));
    for (const final of 'Hfd') this.store.add(parser.registerCsiHandler({ final }, params => this.addressed(params)));
  }

  /** False lets xterm.js do its own part, too. */
  private set(params: Params, isOn: boolean, isCursorShown = isOn): false {
    if (params.includes(1006)) this.sgrMouse = isOn;
    if (params.includes(25)) this.isCursorHidden = !isCursorShown;
    // Who has left the alternate screen has addressed that one.
    if (!isOn && alternates.some(mode => params.includes(mode))) this.isAddressed = false;
    return false;
  }

  private addressed(params: Params): false {
    this.isAddressed ||= params.some(param => Number(param) > 1);
    return false;
  }

  dispose(): void {
    this.store.dispose();
  }
}
