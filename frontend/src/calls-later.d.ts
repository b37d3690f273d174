// Methods of App that its generated interface does not have yet.
declare module "./calls" {
  interface App {
    SetMain(chatID: string, providerID: string): Promise<void>;
    StopBlock(itemID: string): Promise<void>;
    SendTo(chatID: string, session: string, text: string): Promise<void>;
    RenameSession(chatID: string, name: string, to: string): Promise<void>;
    CloseSession(chatID: string, name: string): Promise<void>;
    RestartSession(chatID: string, name: string): Promise<void>;
  }
}
export {};
