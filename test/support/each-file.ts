import { endWhatIsLeft } from './ends-with-file.ts';

endWhatIsLeft();
