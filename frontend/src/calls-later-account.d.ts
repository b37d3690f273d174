// Methods of App that its generated interface does not have yet.
declare module "./calls" {
  interface App {
    SignIn(): Promise<void>;
    SignInToken(token: string): Promise<void>;
    SignInCLI(): Promise<void>;
    CancelSignIn(): Promise<void>;
    SignOut(): Promise<void>;
    CheckAccount(): Promise<void>;
  }
}
export {};
