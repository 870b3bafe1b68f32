import { oscPayload, type TokenKind } from './tokenizer';

/**
 * Whether a token of a program's output is passed on to a replica of its screen (a mirror, an attached viewer).
 *
 * Left out is what would act beyond the picture: queries (exactly one responder may answer, and that is the session's own screen),
 * clipboard access, links to local files, and shell-integration marks, which anybody can print; the session adds those it believes.
 */
export function isPicture(kind: TokenKind, bytes: Uint8Array): boolean {
  switch (kind) {
    case 'text':
      return true;
    case 'esc':
      // DECID, the oldest way to ask what the terminal is.
      return bytes[1] !== 0x5a;
    case 'csi':
      return !isCsiQuery(bytes);
    case 'osc':
      return isHarmlessOsc(oscPayload(bytes));
    case 'dcs':
      // Sixel and DECUDK and the like draw; DECRQSS (`$q`) and XTGETTCAP (`+q`) ask.
      return !/^\x1bP[\d;]*[$+]q/.test(Buffer.from(bytes.subarray(0, 32)).toString('latin1'));
    default:
      return false;
  }
}

/** DA (c), DSR (n), DECRQM ($p), XTVERSION (> q), DECREQTPARM (x), XTWINOPS (t), kitty keyboard (? u). */
function isCsiQuery(bytes: Uint8Array): boolean {
  const body = Buffer.from(bytes.subarray(2)).toString('latin1');
  return /^(?:[?>=]?[\d;]*[cnx]|\??[\d;]*\$p|>[\d;]*q|[>]?[\d;]*t|\?[\d;]*u)$/.test(body);
}

/** Titles, colours and web links pass; a colour's value `?` is a query. */
function isHarmlessOsc(payload: string): boolean {
  const semicolon = payload.indexOf(';');
  const command = semicolon < 0 ? payload : payload.slice(0, semicolon);
  const value = semicolon < 0 ? '' : payload.slice(semicolon + 1);
  switch (command) {
    case '0':
    case '1':
    case '2':
    case '104':
    case '110':
    case '111':
    case '112':
      return true;
    case '4':
    case '10':
    case '11':
    case '12':
      return !value.split(';').includes('?');
    case '8':
      return /^[^;]*;(?:https?:|mailto:|$)/.test(value);
    default:
      return false;
  }
}
