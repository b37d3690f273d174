// What Go says to the window, in Simplified Chinese. What varies stands as {0}, {1}, …

import type { Said } from "../said";

export const said: Readonly<Record<Said, string>> = {
  '"{0}" is not the name of a variable. Letters, digits and _ are allowed, and no digit in front.':
    "“{0}”不是变量名。可以使用字母、数字和 _，但不能以数字开头。",
  "1 byte": "1 字节",
  "1 commit": "1 个提交",
  "1 entry": "1 个条目",
  "1 file": "1 个文件",
  "1 file changed": "更改了 1 个文件",
  "1 item": "1 项",
  "1 line": "1 行",
  "1 line matches": "1 行匹配",
  "1 match": "1 个匹配",
  "1 message that is not in this chat": "1 条不在此对话中的消息",
  "A Mac has no key {0}.": "Mac 上没有 {0} 键。",
  "A VoxPilot that runs is using it.": "正在运行的 VoxPilot 在使用它。",
  "A chat can be exported as Markdown, HTML or JSON.": "对话可以导出为 Markdown、HTML 或 JSON。",
  "A chat is still at work. Wait until it has finished, or stop it, then update.":
    "有一个对话仍在工作。请等它完成，或停止它，然后更新。",
  "A chat needs a name.": "对话需要一个名称。",
  "A client ID has letters, digits, dots and dashes only. Copy it from the settings of the OAuth app at GitHub.":
    "客户端 ID 只含字母、数字、点和连字符。请从 GitHub 上 OAuth 应用的设置中复制。",
  'A fine-grained token also needs the permission "Copilot Requests".':
    "细粒度令牌还需要“Copilot Requests”权限。",
  "A main AI answered in this chat meanwhile.": "其间有主 AI 在此对话中回答过。",
  "A message takes at most {0} attachments. Take some out, or send them with another message.":
    "一条消息最多带 {0} 个附件。去掉一些，或随另一条消息发送。",
  "A newer VoxPilot has made it. Update this one.": "它由较新的 VoxPilot 创建。请更新此版本。",
  "A rule can only allow a single command. Leave out {0}.": "规则只能允许单条命令。请去掉 {0}。",
  "A rule either allows or denies. Choose one of them.": "规则要么允许，要么拒绝。请选择其一。",
  'A session cannot be called "main": that is the one that answers you. Choose another name.':
    "会话不能叫“main”：那是回答你的会话。请换一个名称。",
  "A session that is lost can be replaced with a summary or without one.":
    "丢失的会话可以带摘要或不带摘要地替换。",
  "A shortcut ends with a letter, a digit, Space, F1 to F24, Insert, Home, End, PageUp, PageDown or an arrow key. {0} does not.":
    "快捷键须以字母、数字、空格、F1 到 F24、Insert、Home、End、PageUp、PageDown 或方向键结尾。{0} 不是。",
  "A turn can be stopped after 1 to 1440 minutes of work, or never with 0.":
    "回答可以在工作 1 到 1440 分钟后停止，0 表示从不。",
  "All that was in it": "其中的全部内容",
  "An agent can be kept for 1 to 1440 minutes without work, or for ever with 0.":
    "代理可以空闲保留 1 到 1440 分钟，0 表示一直保留。",
  "Couldn't copy the image. Save it instead.": "无法复制图片。请改为保存它。",
  "Couldn't read the file. It may have been moved or deleted, or a link leads out of the folder.":
    "无法读取该文件。它可能已被移动或删除，或者有链接指向文件夹之外。",
  "Couldn't save the image: {0}": "无法保存图片：{0}",
  "New chats begin in a mode in which the agent asks.": "新对话只能以代理会询问的模式开始。",
  "An agent can be started again 1 to 10 times in a minute.": "代理每分钟可以重新启动 1 到 10 次。",
  "An agent can have {0} arguments at most.": "代理最多可以有 {0} 个参数。",
  "An agent has a command or an address. Clear one of them.": "代理要么用命令，要么用地址。请清空其一。",
  "An argument is longer than {0} bytes, or holds a byte that none can have.":
    "有参数超过 {0} 字节，或含有不允许的字节。",
  "Another VoxPilot is using this data. Go on in its window, or quit it and start VoxPilot again.":
    "另一个 VoxPilot 正在使用这些数据。请在它的窗口中继续，或退出它再启动 VoxPilot。",
  "Another VoxPilot uses it. Close that one first.": "另一个 VoxPilot 在使用它。请先关闭那一个。",
  "Another model or agent is being chosen for this chat. Try again in a moment.":
    "正在为此对话选择另一个模型或代理。请稍后再试。",
  "Another model or agent was chosen for this chat. Session {0} stays with the one before.":
    "已为此对话选择另一个模型或代理。会话 {0} 留在之前的那一个。",
  "Another program has {0}. Choose other keys, or close that program and try again.":
    "{0} 已被另一个程序占用。请选择其他按键，或关闭那个程序后重试。",
  "Another program holds its database: close that program.": "另一个程序占用着数据库：请关闭它。",
  'COPILOT_ALLOW_ALL would take away every question. Choose "Allow everything" in a chat instead.':
    "COPILOT_ALLOW_ALL 会取消所有询问。请改为在对话中选择“允许一切”。",
  "Check that the folder of the log can be read.": "请检查日志文件夹是否可读。",
  "Check the network and its proxy. VoxPilot goes on meanwhile.": "请检查网络及其代理。VoxPilot 会继续工作。",
  "Choose a folder first.": "请先选择文件夹。",
  "Choose a model, or type its name.": "请选择模型，或输入其名称。",
  "Choose another model, or correct this one in Settings.": "请选择另一个模型，或在设置中更正这一个。",
  'Choose one of the services, or "custom".': "请选择其中一个服务，或“custom”。",
  "Code is shown in JetBrains Mono or in the system's own font.":
    "代码以 JetBrains Mono 或系统自带的字体显示。",
  "Copilot CLI {0} is too old: VoxPilot needs {1} or newer. Update it with `copilot update` or `npm install -g @github/copilot@{2}`.":
    "Copilot CLI {0} 版本过旧：VoxPilot 需要 {1} 或更新的版本。请用 `copilot update` 或 `npm install -g @github/copilot@{2}` 更新。",
  "Copilot answered with an error ({0}, code {1}). Send the message again.":
    "Copilot 返回了错误（{0}，代码 {1}）。请重新发送消息。",
  "Copilot cannot work here: {0}. Put it back, then choose Try again. Your messages are kept.":
    "Copilot 无法在此工作：{0}。请恢复它，然后选择“重试”。你的消息已保留。",
  "Copilot could not use its servers ({0}). Check the network, then send the message again.":
    "Copilot 无法使用其服务器（{0}）。请检查网络，然后重新发送消息。",
  "Copilot declined this request.": "Copilot 拒绝了此请求。",
  "Copilot did not accept the message ({0}). Send it again.": "Copilot 没有接受该消息（{0}）。请重新发送。",
  "Copilot did not answer any more and was ended. What it had said is kept; ask it to continue.":
    "Copilot 不再响应，已被结束。它已说的内容已保留；请让它继续。",
  "Copilot did not answer in time. It was ended and is started again.":
    "Copilot 没有及时响应。它已被结束，正在重新启动。",
  "Copilot did not read what it was sent and was ended. What it had said is kept; ask it to continue.":
    "Copilot 没有读取发给它的内容，已被结束。它已说的内容已保留；请让它继续。",
  "Copilot did not read what it was sent. It was ended and is started again.":
    "Copilot 没有读取发给它的内容。它已被结束，正在重新启动。",
  "Copilot did not show all that it changed in this file.": "Copilot 没有显示它在此文件中更改的全部内容。",
  "Copilot did not understand VoxPilot ({0}). Send the message again; if it happens again, update both.":
    "Copilot 没有理解 VoxPilot（{0}）。请重新发送消息；如再次发生，请更新两者。",
  "Copilot does not have what it was asked about ({0}). Send your message again; VoxPilot opens the conversation afresh with it.":
    "Copilot 没有所请求的内容（{0}）。请重新发送消息；VoxPilot 会随之重新打开会话。",
  "Copilot does not remember any message of this chat": "Copilot 不记得此对话的任何消息",
  "Copilot does not remember its last answer": "Copilot 不记得自己最后的回答",
  "Copilot does not remember {0}": "Copilot 不记得{0}",
  "Copilot does not remember {0}, and remembers {1}": "Copilot 不记得{0}，却记得{1}",
  "Copilot does not take images. Send the message without them.": "Copilot 不接受图片。请不带图片发送消息。",
  "Copilot dropped the message. Send it again.": "Copilot 丢弃了该消息。请重新发送。",
  "Copilot ended as soon as it was started ({0}). It is started again.":
    "Copilot 一启动就结束了（{0}）。正在重新启动。",
  "Copilot ended each time it was started, {0} times within a minute ({1}). See what it wrote, then choose Try again.":
    "Copilot 每次启动都结束，一分钟内 {0} 次（{1}）。请查看它写了什么，然后选择“重试”。",
  "Copilot ended this answer by itself before it was complete. Ask it to continue.":
    "Copilot 在回答完成之前自行结束了。请让它继续。",
  "Copilot is still opening this conversation. Your message was not sent. Send it again in a moment.":
    "Copilot 仍在打开此会话。你的消息没有发送。请稍后重新发送。",
  "Copilot lost its sign-in while it was answering. What it had said is kept; ask it to continue when it is back.":
    "Copilot 在回答时失去了登录。它已说的内容已保留；恢复后请让它继续。",
  "Copilot needs your GitHub sign-in. Sign in, and your messages are sent afterwards.":
    "Copilot 需要你的 GitHub 登录。请登录，之后会发送你的消息。",
  "Copilot remembers {0}": "Copilot 记得{0}",
  "Copilot sent more than 64 MB in one message and was ended. What it had said is kept; ask it to continue, with less at once.":
    "Copilot 在一条消息中发送了超过 64 MB，已被结束。它已说的内容已保留；请让它继续，每次少一些。",
  "Copilot sent more than 64 MB in one message. It was ended and is started again.":
    "Copilot 在一条消息中发送了超过 64 MB。它已被结束，正在重新启动。",
  "Copilot still asks nothing": "Copilot 仍然什么都不询问",
  "Copilot stopped unexpectedly ({0}). It is started again.": "Copilot 意外停止（{0}）。正在重新启动。",
  "Copilot stopped while it was answering ({0}). What it had said is kept; ask it to continue.":
    "Copilot 在回答时停止（{0}）。它已说的内容已保留；请让它继续。",
  "Copilot stopped {0} times within a minute, the last time because: {1}. Choose Try again when the reason is gone.":
    "Copilot 一分钟内停止了 {0} 次，最后一次的原因：{1}。原因消除后请选择“重试”。",
  "Copilot stopped, because it has made as many steps as it may for one message. Ask it to continue.":
    "Copilot 已停止，因为它已达到一条消息允许的步数。请让它继续。",
  "Copilot stopped, because the answer is as long as its model allows. Ask it to continue.":
    "Copilot 已停止，因为回答已达到其模型允许的长度。请让它继续。",
  "Copilot wants you to sign in. Do that with its own program, then choose Check again. Your message is kept and goes out then.":
    "Copilot 要求你登录。请用它自己的程序登录，然后选择“重新检查”。你的消息已保留，之后会发送。",
  "Copilot was stopped. Send a message to start it again.": "Copilot 已停止。发送消息即可重新启动。",
  "Deleting {0}": "正在删除 {0}",
  "Editing {0}": "正在编辑 {0}",
  "Enter how many tokens fit into the model as a number from {0} on, or leave it empty.":
    "请输入模型可容纳的令牌数，从 {0} 起的数字，或留空。",
  "Enter it like http://localhost:11434/v1.": "请这样输入：http://localhost:11434/v1。",
  "Enter the command that starts the agent, or the address of one that runs already.":
    "请输入启动代理的命令，或已在运行的代理的地址。",
  "Finished.": "已完成。",
  "Finished. 1 file changed": "已完成。更改了 1 个文件",
  "Finished. {0} files changed": "已完成。更改了 {0} 个文件",
  "GitHub approved the sign-in, but the agent found no system keychain to keep it in. Unlock the keychain, or sign in with a code or a token.":
    "GitHub 已批准登录，但代理找不到可保存登录的系统钥匙串。请解锁钥匙串，或用代码或令牌登录。",
  "GitHub asks for a pause, so the token could not be checked. It was not kept; try again in a few minutes.":
    "GitHub 要求暂停，因此无法检查令牌。令牌未保留；请过几分钟重试。",
  "GitHub asks for a pause. Get a new code in a few minutes.": "GitHub 要求暂停。请过几分钟获取新的代码。",
  "GitHub asks for a pause. The sign-in is checked later; your work goes on.":
    "GitHub 要求暂停。登录稍后再检查；你的工作继续。",
  "GitHub cannot be reached, so Copilot waits. Your messages are kept and go out when the connection is back.":
    "无法连接 GitHub，因此 Copilot 在等待。你的消息已保留，连接恢复后发送。",
  "GitHub cannot be reached, so the token could not be checked. It was not kept; try again once you are online.":
    "无法连接 GitHub，因此无法检查令牌。令牌未保留；请联网后重试。",
  "GitHub cannot be reached.": "无法连接 GitHub。",
  "GitHub cannot be reached. The sign-in is checked before Copilot is started.":
    "无法连接 GitHub。启动 Copilot 之前会检查登录。",
  "GitHub cannot be reached: this computer does not trust the certificate of what answers. A proxy of your company may stand in between: its certificate has to be installed here.":
    "无法连接 GitHub：此电脑不信任对方的证书。中间可能有你公司的代理：需要在此安装其证书。",
  "GitHub did not approve the sign-in.": "GitHub 没有批准登录。",
  "GitHub does not know this token. It may have been cut when it was copied, have ended, or be of another GitHub than {0}.":
    "GitHub 不认识此令牌。它可能在复制时被截断、已过期，或属于 {0} 以外的 GitHub。",
  "GitHub does not let this account in: {0}": "GitHub 不允许此账户进入：{0}",
  "GitHub does not let this client id sign in by a code. Check it in Settings, or sign in another way.":
    "GitHub 不允许此客户端 ID 用代码登录。请在设置中检查它，或用其他方式登录。",
  "GitHub does not take the sign-in that it has just given. {0}": "GitHub 不接受它刚刚给出的登录。{0}",
  "GitHub does not take the token in the environment variable {0} any more. Replace it there and start VoxPilot again, or sign in here.":
    "GitHub 不再接受环境变量 {0} 中的令牌。请在那里替换并重新启动 VoxPilot，或在此登录。",
  "GitHub does not take the token of gh any more. Run `gh auth login` in a terminal, then choose Check again, or sign in here.":
    "GitHub 不再接受 gh 的令牌。请在终端运行 `gh auth login`，然后选择“重新检查”，或在此登录。",
  "GitHub ended the sign-in ({0}). Get a new code, or sign in another way.":
    "GitHub 结束了登录（{0}）。请获取新的代码，或用其他方式登录。",
  "GitHub gave no code ({0}). Sign in another way.": "GitHub 没有给出代码（{0}）。请用其他方式登录。",
  "GitHub has trouble ({0}). The sign-in is checked later; your work goes on.":
    "GitHub 出现故障（{0}）。登录稍后再检查；你的工作继续。",
  "Give the endpoint a name of at most {0} characters.": "请给端点一个最多 {0} 个字符的名称。",
  "Give the session a name.": "请给会话一个名称。",
  "Give work to the session {0}": "把工作交给会话 {0}",
  "Install it with `npm install -g @github/copilot@{0}`, or set its path in the settings.":
    "请用 `npm install -g @github/copilot@{0}` 安装，或在设置中指定其路径。",
  "Install it with: npm install -g @github/copilot@{0} – or set its path in the settings.":
    "请这样安装：npm install -g @github/copilot@{0} – 或在设置中指定其路径。",
  "It answered with a web page.": "它返回了一个网页。",
  "It asks for something that VoxPilot does not do for links.": "它要求 VoxPilot 做一件不会因链接而做的事。",
  "It cannot be opened ({0}).": "无法打开它（{0}）。",
  "It cannot be written. Check whose file it is and what its rights are.":
    "无法写入。请检查文件的所有者和权限。",
  "It could not be opened. The log says more.": "无法打开。日志中有更多信息。",
  "It could not be written. Check the permissions of VoxPilot's data folder, then try again.":
    "无法写入。请检查 VoxPilot 数据文件夹的权限，然后重试。",
  "It is installed like the first time: download the new Flatpak from the page of the project, and open it.":
    "安装方式与首次相同：请从项目页面下载新的 Flatpak 并打开。",
  "It is made when VoxPilot is started.": "VoxPilot 启动时会创建它。",
  "It is not written as one of VoxPilot's is.": "它的写法不是 VoxPilot 的链接。",
  "It is still being opened and checked. Look again in a moment.": "它仍在打开和检查。请稍后再看。",
  "It sent: {0}": "它发送了：{0}",
  "It was damaged, and what could be read was kept. The damaged file lies beside it.":
    "它已损坏，可读取的内容已保留。损坏的文件放在旁边。",
  "Its database cannot be written: check the permissions of its folder.":
    "其数据库无法写入：请检查其文件夹的权限。",
  "Its database is damaged: restart VoxPilot, which then keeps all that can still be read.":
    "其数据库已损坏：请重新启动 VoxPilot，它会保留所有仍可读取的内容。",
  "Keys are held in memory and are gone when VoxPilot quits. Unlock the keychain; on Linux, install gnome-keyring or KWallet where there is none.":
    "密钥保存在内存中，VoxPilot 退出后即消失。请解锁钥匙串；在 Linux 上如果没有，请安装 gnome-keyring 或 KWallet。",
  "Leave /chat/completions off the address: it is added by itself.":
    "地址中不要写 /chat/completions：它会自动添加。",
  "Look again in a moment.": "请稍后再看。",
  'Make a fine-grained token at GitHub, with the permission "Copilot Requests", and paste that.':
    "请在 GitHub 上创建带有“Copilot Requests”权限的细粒度令牌并粘贴。",
  "Make room on the disk: chats cannot be saved without.": "请腾出磁盘空间：没有空间就无法保存对话。",
  "Make sure that the folder can be written, or choose another with VOXPILOT_DATA_DIR.":
    "请确保文件夹可写，或用 VOXPILOT_DATA_DIR 选择另一个。",
  "Moving {0}": "正在移动 {0}",
  "Name the editor by its program alone, such as code, or by its whole path.":
    "请只写编辑器的程序名，例如 code，或写完整路径。",
  'New chats can begin with "Ask first" or "Allow edits".': "新对话可以从“先询问”或“允许编辑”开始。",
  "No agent runs for this chat. It starts with the next message.":
    "此对话没有代理在运行。它会随下一条消息启动。",
  'No chat begins with "Allow everything".': "对话不会以“允许一切”开始。",
  "No editor was found. Name yours in the settings, under Agent.": "没有找到编辑器。请在设置的“代理”中指定。",
  "No message is being answered, so there is nobody to give work for. The work was not begun.":
    "当前没有正在回答的消息，因此没有可为之工作的对象。工作没有开始。",
  "No rule can be made of this request. Allow it once instead.": "无法由此请求创建规则。请改为允许一次。",
  "No update is ready to be installed. Download it first.": "没有可安装的更新。请先下载。",
  "Nothing answers at {0}. Start the server, or correct the port.":
    "{0} 没有响应。请启动服务器，或更正端口。",
  "Nothing in this chat has been answered yet, so there is nothing to go on from.":
    "此对话中还没有任何回答，因此没有可接续的内容。",
  "Nothing was answered. VoxPilot takes an answer from the notification of a request only while that is open. What waits for you is in the window.":
    "没有作出任何回答。VoxPilot 只在请求仍待处理时接受其通知中的回答。等待你处理的内容在窗口中。",
  "Notifications are for apps on macOS. Start VoxPilot from its app, not from a terminal.":
    "macOS 上的通知仅供应用使用。请从应用启动 VoxPilot，而不是从终端。",
  "Notifications of VoxPilot are off in System Settings, Notifications.":
    "VoxPilot 的通知已在“系统设置”的“通知”中关闭。",
  "Ollama does not have the model {0}. Run `ollama pull {1}` in a terminal, or choose another model.":
    "Ollama 没有模型 {0}。请在终端运行 `ollama pull {1}`，或选择另一个模型。",
  "One change could not be saved and was left out; all others were. The log says more.":
    "有一项更改无法保存而被略过；其他的都已保存。日志中有更多信息。",
  "Only a banner can be dismissed.": "只有横幅可以关闭。",
  "Open the image, quit VoxPilot, and drag the new version into Applications.":
    "请打开映像，退出 VoxPilot，并把新版本拖入“应用程序”。",
  "Paste a token first.": "请先粘贴令牌。",
  "Please report this with the details.": "请附上详细信息报告此问题。",
  "Programs, proxies and certificates that are set up in its files are not known here. See to it that a new terminal opens without a question, then ask the shell again.":
    "在其文件中设置的程序、代理和证书在此不可知。请确保新终端打开时不会提问，然后重新询问 shell。",
  "Quiet hours go from one time of the day to another, such as 22:00 to 07:00.":
    "免打扰时段从一天中的某个时间到另一个时间，例如 22:00 到 07:00。",
  "Quiet hours that end when they begin are none. Choose another time, or mute notifications.":
    "开始即结束的免打扰时段无效。请选择另一个时间，或将通知静音。",
  "Reading {0}": "正在读取 {0}",
  "Restart VoxPilot if this goes on.": "如果持续如此，请重新启动 VoxPilot。",
  "Rules that allow edits, or one exact command, are made with Always allow on a request.":
    "允许编辑或某一确切命令的规则，可在请求上选择“始终允许”来创建。",
  "Run a command": "运行命令",
  "Running {0}": "正在运行 {0}",
  "Searching for {0}": "正在搜索 {0}",
  "Sign in again in the settings.": "请在设置中重新登录。",
  'Sign in here, or put a fine-grained token there that has the permission "Copilot Requests".':
    "请在此登录，或在那里放入具有“Copilot Requests”权限的细粒度令牌。",
  'Sign in in the settings, or use a fine-grained token with the permission "Copilot Requests".':
    "请在设置中登录，或使用带有“Copilot Requests”权限的细粒度令牌。",
  "Sign in in the settings, to use GitHub Copilot.": "要使用 GitHub Copilot，请在设置中登录。",
  "Sign in with an account that has a Copilot plan.": "请用带有 Copilot 套餐的账户登录。",
  "Something in VoxPilot failed. The log says more (Settings, Doctor).":
    "VoxPilot 中出现故障。日志中有更多信息（设置，诊断）。",
  "Something went wrong inside Copilot ({0}). Send the message again.":
    "Copilot 内部出错（{0}）。请重新发送消息。",
  "Starting at login could not be changed: {0} cannot be written.": "无法更改登录时启动：{0} 无法写入。",
  "That file may not be run.": "该文件不允许执行。",
  "That is a folder.": "那是一个文件夹。",
  "The API of {0} is at {1}. Enter that as the address.": "{0} 的 API 在 {1}。请以此作为地址输入。",
  "The Copilot CLI cannot be installed in this way here. Look for it again, and choose one that is offered.":
    "此处无法用这种方式安装 Copilot CLI。请重新查找，并选择提供的一种方式。",
  "The Copilot CLI could not be signed out. Start it in a terminal and type /logout there.":
    "无法注销 Copilot CLI。请在终端中启动它，并输入 /logout。",
  "The Copilot CLI did not sign {0} out. Start it in a terminal and type /logout there.":
    "Copilot CLI 没有注销 {0}。请在终端中启动它，并输入 /logout。",
  "The Copilot CLI is being installed. Wait until that is done.": "正在安装 Copilot CLI。请等待完成。",
  "The Copilot CLI is not signed in any more. Sign in again; your messages are sent afterwards.":
    "Copilot CLI 已不再登录。请重新登录；之后会发送你的消息。",
  "The Copilot CLI was not installed. What was written says why. You can run this in a terminal: {0}":
    "Copilot CLI 没有安装成功。输出说明了原因。你可以在终端运行：{0}",
  "The GitHub Copilot CLI was not found. {0}": "未找到 GitHub Copilot CLI。{0}",
  "The VoxPilot that runs is of another version and cannot do this. Quit it and try again.":
    "正在运行的 VoxPilot 是另一个版本，无法执行此操作。退出它后重试。",
  "The X server does not answer, so there is no global shortcut.": "X 服务器没有响应，因此没有全局快捷键。",
  "The account has no picture.": "该账户没有头像。",
  "The address cannot be read. {0}": "无法读懂该地址。{0}",
  "The address has a space or a character that cannot be shown. {0}": "该地址含有空格或无法显示的字符。{0}",
  "The address has no host. {0}": "该地址没有主机。{0}",
  "The address has to be a host and a port, such as 127.0.0.1:4567.":
    "地址须为主机和端口，例如 127.0.0.1:4567。",
  "The address holds a user or a password. Remove it and enter a key instead: keys are kept in the keychain, addresses are not.":
    "地址中含有用户名或密码。请去掉并改为输入密钥：密钥保存在钥匙串中，地址则不是。",
  "The address is longer than {0} characters.": "地址超过 {0} 个字符。",
  "The address is missing. {0}": "缺少地址。{0}",
  "The address must begin with http:// or https://. {0}": "地址必须以 http:// 或 https:// 开头。{0}",
  "The address must end before ? and #: paths like /chat/completions are added to it. Enter such values as headers.":
    "地址须在 ? 和 # 之前结束：/chat/completions 之类的路径会接在后面。此类值请作为请求头输入。",
  "The address {0} cannot be used. Correct it.": "地址 {0} 无法使用。请更正。",
  "The agent cannot be reached ({0}). See that it runs and that its address is right, then choose Try again.":
    "无法连接代理（{0}）。请确认它在运行且地址正确，然后选择“重试”。",
  "The agent cannot be reached ({0}). VoxPilot tries again.": "无法连接代理（{0}）。VoxPilot 会重试。",
  "The agent cannot load sessions.": "该代理无法加载会话。",
  "The agent could not be asked how it signs in. Run its sign-in in a terminal.":
    "无法询问代理如何登录。请在终端运行它的登录。",
  "The agent could not be prepared. Send the message again.": "无法准备代理。请重新发送消息。",
  "The agent could not sign in. What it wrote says why.": "代理无法登录。它的输出说明了原因。",
  "The agent does not have it any more, or cannot read it.": "代理不再有它，或无法读取它。",
  "The agent does not have this session in the chat's folder any more.": "代理在对话的文件夹中不再有此会话。",
  "The agent does not offer this answer.": "代理不提供此选项。",
  "The agent needs a name.": "代理需要一个名称。",
  "The agent sent {0} ({1} bytes, beginning with {2}).": "代理发送了 {0}（{1} 字节，开头为 {2}）。",
  "The answer stopped halfway. {0} closed the connection. What arrived is kept above.":
    "回答中途停止。{0} 关闭了连接。已收到的内容保留在上方。",
  "The answer was stopped.": "回答已停止。",
  'The attachment "{0}" cannot be used. Add it again.': "附件“{0}”无法使用。请重新添加。",
  "The certificate of {0} is not trusted by this computer. Check the address, or install its certificate.":
    "此电脑不信任 {0} 的证书。请检查地址，或安装其证书。",
  "The change could not be saved.": "无法保存更改。",
  "Couldn't read the clipboard. Copy it again.": "无法读取剪贴板。请重新复制。",
  "The copied image cannot be used. Copy it as PNG, JPEG, GIF or WebP, or save it and attach the file.":
    "无法使用复制的图片。请以 PNG、JPEG、GIF 或 WebP 格式复制，或保存后附加文件。",
  "It was stopped before anyone allowed it: Read {0}.": "还没有人允许就已停止：读取 {0}。",
  "That did not work: {0}": "没有成功：{0}",
  'The argument "line" must be 1 or more.': "参数“line”必须大于或等于 1。",
  'The argument "output_mode" must be content, files or count.':
    "参数“output_mode”必须是 content、files 或 count。",
  'The argument "path" is needed: the file to read.': "缺少参数“path”：要读取的文件。",
  'The argument "path" must be absolute or begin with ~/. read_file reads files of the chat\'s folder.':
    "参数“path”必须是绝对路径或以 ~/ 开头。对话文件夹中的文件由 read_file 读取。",
  'The argument "pattern" is needed: a glob, such as **/*.go.':
    "缺少参数“pattern”：一个通配模式，例如 **/*.go。",
  'The argument "pattern" is needed: a regular expression.': "缺少参数“pattern”：一个正则表达式。",
  'The argument "prompt" is needed: what is to be done.': "缺少参数“prompt”：要做什么。",
  'The argument "prompt" must have at most {0} bytes. Name files instead of quoting them.':
    "参数“prompt”最多 {0} 字节。请写出文件名，不要引用其内容。",
  'The argument "rev" must be a revision or a range, such as HEAD~2, main or main...HEAD; "{0}" is none.':
    "参数“rev”必须是一个版本或范围，例如 HEAD~2、main 或 main...HEAD；“{0}”不是。",
  'The argument "session_name" is needed: a short name for the task, such as auth-bug-fix.':
    "缺少参数“session_name”：任务的简短名称，例如 auth-bug-fix。",
  'The argument "session_name" may have letters, digits, dots, dashes, underscores and spaces, but not "{0}".':
    "参数“session_name”可以包含字母、数字、点、连字符、下划线和空格，但不能是“{0}”。",
  'The argument "session_name" must have at most {0} characters.': "参数“session_name”最多 {0} 个字符。",
  'The argument "{0}" has too many alternatives in braces. Use fewer, or more calls.':
    "参数“{0}”的花括号中候选太多。请减少，或分多次调用。",
  'The argument "{0}" is no valid glob: "{1}". Examples: *.go, src/**/*.ts, **/*.{yml,yaml}.':
    "参数“{0}”不是有效的通配模式：“{1}”。例如：*.go、src/**/*.ts、**/*.{yml,yaml}。",
  'The argument "{0}" must be from {1} to {2}.': "参数“{0}”必须在 {1} 到 {2} 之间。",
  'The argument "{0}" must be {1} and not a {2}.': "参数“{0}”的类型必须是 {1}，不能是 {2}。",
  "The arguments are no JSON: {0}.": "参数不是 JSON：{0}。",
  "The arguments must be a JSON object with: {0}.": "参数必须是一个 JSON 对象，包含：{0}。",
  "The arguments must be one JSON object and nothing after it.":
    "参数必须是一个 JSON 对象，其后不能有其他内容。",
  "The call was stopped before it had ended.": "调用在完成之前被停止。",
  "The folder has changed. Review it again.": "文件夹已更改。请再次查看。",
  "The folder is in no git repository, or git is not installed.": "该文件夹不在 git 仓库中，或未安装 git。",
  "The pattern is no regular expression in RE2's syntax: {0}.": "该模式不符合 RE2 正则表达式语法：{0}。",
  'The pattern is no regular expression in RE2\'s syntax: {0}: "{1}". Put a backslash before each of \\.+*?()|[]{}^$ that is meant as itself.':
    "该模式不符合 RE2 正则表达式语法：{0}：“{1}”。\\.+*?()|[]{}^$ 中表示其本身的字符前要加反斜杠。",
  "The pattern is too large. Use fewer repetitions, such as * for {1,1000}.":
    "该模式太大。请减少重复次数，例如用 * 代替 {1,1000}。",
  "The pattern is too large: {0}.": "该模式太大：{0}。",
  "The repository's configuration has a filter with a name that cannot be switched off: {0}. git is not used here.":
    "仓库配置中有一个按其名称无法关闭的过滤器：{0}。此处不使用 git。",
  'The session "{0}" is the one that you speak in. Choose another name for the task.':
    "会话“{0}”就是当前对话的会话。任务需要另一个名称。",
  "The tool failed by a fault of its own. Try another way.": "工具因自身错误而失败。",
  "The user did not allow it: Read {0}. Do not ask for this file again unless the user tells you to.":
    "未获允许：读取 {0}。",
  "There is no argument {0}. The arguments are: {1}.": "没有参数 {0}。可用的参数：{1}。",
  'There is no tool "{0}". The tools are: {1}.': "没有工具“{0}”。可用的工具：{1}。",
  "This folder is no longer trusted.": "此文件夹已不再受信任。",
  "VoxPilot no longer asks about this folder.": "VoxPilot 不再询问此文件夹。",
  "{0} has {1} lines, so there is no line {2}.": "{0} 有 {1} 行，没有第 {2} 行。",
  "{0} is a folder. list_directory shows what is in it.": "{0} 是文件夹。用 list_directory 查看其中的内容。",
  "{0} is no text in UTF-8 ({1}, {2}), so it cannot be read as one.":
    "{0} 不是 UTF-8 文本（{1}，{2}），无法作为文本读取。",
  "{0} is outside of the folder {1}. Only read_file_external reads files there, after the user has allowed it.":
    "{0} 在文件夹 {1} 之外。那里的文件只有在获得允许后才能由 read_file_external 读取。",
  "The chat could not be created.": "无法创建对话。",
  "The chat could not be deleted.": "无法删除对话。",
  "The chat could not be restored.": "无法恢复对话。",
  "The chat could not be written: {0}": "无法写入对话：{0}",
  "The chat in it is none.": "其中的对话不是有效的对话。",
  "The chat is still stopping. Try again in a moment.": "对话仍在停止。请稍后再试。",
  "The check was stopped before there was an answer.": "检查在得到回答之前被停止。",
  "The code has expired.": "代码已过期。",
  "The command has to be one program. Its arguments stand apart, one a line.":
    "命令须为单个程序。其参数单独列出，每行一个。",
  "The command of the editor begins with its program, such as code.":
    "编辑器的命令须以其程序开头，例如 code。",
  "The command of the editor has a quotation mark without its other one.":
    "编辑器的命令中有一个引号没有配对。",
  "The command of the editor has to be one line.": "编辑器的命令须为一行。",
  "The command of the editor is too long. {0} letters are the limit.":
    "编辑器的命令过长。上限为 {0} 个字符。",
  "The command of the editor needs {file}, where the file's path goes, as in: code -g {file}:{line}":
    "编辑器命令需要用 {file} 表示文件路径的位置，例如：code -g {file}:{line}",
  "The connection failed. Check it, then try again.": "连接失败。请检查连接，然后重试。",
  "The connection to the agent was lost while it was answering ({0}). What it had said is kept; ask it to continue.":
    "代理在回答时连接中断（{0}）。它已说的内容已保留；请让它继续。",
  "The conversation was not copied": "会话没有复制",
  "The data in {0} was made by a newer VoxPilot. Nothing was changed: install the newest version to use it.":
    "{0} 中的数据由较新的 VoxPilot 创建。没有任何更改：请安装最新版本来使用。",
  "The database is still being checked. Wait a moment, then try again.": "数据库仍在检查。请稍等再试。",
  "The database is still being opened. Try again in a moment.": "数据库仍在打开。请稍后再试。",
  "The database was opened, but what is in it could not be read.": "数据库已打开，但其中的内容无法读取。",
  "The desktop asked about the shortcut, and it was refused. Try again, or bind the command to keys in its keyboard settings.":
    "桌面就快捷键进行了询问，但被拒绝。请重试，或在其键盘设置中把命令绑定到按键。",
  "The desktop did not answer. Try again, or bind the command to keys in its keyboard settings.":
    "桌面没有响应。请重试，或在其键盘设置中把命令绑定到按键。",
  "The disk is full: free some space.": "磁盘已满：请腾出空间。",
  "The disk is full: {0} It is as it was.": "磁盘已满：{0}它保持原样。",
  "The disk reported an error: check that it is connected and healthy.":
    "磁盘报告了错误：请检查它是否连接且正常。",
  "The editor {0} was not found. Correct it in the settings, or clear it to have one looked for.":
    "没有找到编辑器 {0}。请在设置中更正，或清空以便自动查找。",
  "The endpoint has no list of models.": "该端点没有模型列表。",
  "The environment variable {0} has {1}. {2}": "环境变量 {0} 中是{1}。{2}",
  "The file cannot be read now ({0}), so each of Copilot's changes is shown on its own.":
    "现在无法读取该文件（{0}），因此 Copilot 的每项更改单独显示。",
  "The file is not there any more.": "该文件已不存在。",
  "The file is too large to be compared, so each of Copilot's changes is shown on its own.":
    "该文件过大，无法比较，因此 Copilot 的每项更改单独显示。",
  "The file needs its whole path, from the root.": "文件需要从根开始的完整路径。",
  "The file was changed by someone else too, so each of Copilot's changes is shown on its own.":
    "该文件也被他人更改过，因此 Copilot 的每项更改单独显示。",
  "The file was moved to {0}.": "该文件已移动到 {0}。",
  "The folder could not be shown: {0} is not installed. It is {1}.": "无法显示文件夹：{0} 未安装。它是 {1}。",
  "The folder in it has to be one of this computer, with its whole path.":
    "其中的文件夹必须是这台计算机上的，并写出完整路径。",
  "The folder needs its whole path, from the root or from ~.": "文件夹需要从根或 ~ 开始的完整路径。",
  "The folder {0} cannot be opened.": "无法打开文件夹 {0}。",
  "The header {0} has no value.": "请求头 {0} 没有值。",
  "The header {0} is set by itself and cannot be changed.": "请求头 {0} 会自动设置，无法更改。",
  "The header {0} is there twice.": "请求头 {0} 出现了两次。",
  'The image "{0}" is not there any more. Add it again.': "图片“{0}”已不存在。请重新添加。",
  "The image did not arrive whole. Add it again.": "图片没有完整到达。请重新添加。",
  "The key could not be kept: {0}": "无法保存密钥：{0}",
  "The key could not be removed from the keychain, so the model was kept. Unlock the keychain and try again.":
    "无法从钥匙串中删除密钥，因此保留了该模型。请解锁钥匙串后重试。",
  "The key has a space around it, a line break, or a character that keys cannot have. Copy it again.":
    "密钥首尾有空格，或含有换行或不允许的字符。请重新复制。",
  "The key of {0} is not in the keychain any more. Enter it again in Settings.":
    "{0} 的密钥已不在钥匙串中。请在设置中重新输入。",
  "The last write failed. Check that there is room on the disk: what is new is held in memory until it works.":
    "上次写入失败。请检查磁盘是否有空间：新内容在成功之前保存在内存中。",
  "The list of versions has expired, so it was ignored. Check this computer's date, or try again from another network.":
    "版本列表已过期，因此被忽略。请检查此电脑的日期，或换一个网络再试。",
  "The list that came is older than one that was seen before, so it was ignored. Try again later, or from another network.":
    "收到的列表比之前见过的旧，因此已忽略。请稍后重试，或换一个网络。",
  "The message could not be answered. Try again.": "无法回答该消息。请重试。",
  "The message could not be changed.": "无法更改该消息。",
  "The message could not be moved.": "无法移动该消息。",
  "The message could not be queued.": "无法将消息加入队列。",
  "The message could not be removed.": "无法移除该消息。",
  "The message could not be sent.": "无法发送该消息。",
  "The message could not be sent. The database cannot be written; nothing that was saved before is lost.":
    "无法发送该消息。数据库无法写入；之前保存的内容没有丢失。",
  "The message holds bytes that are not text. Paste it again as plain text.":
    "消息含有非文本的字节。请以纯文本重新粘贴。",
  "The message is larger than 1 MB. Shorten it, or put the text in a file and name the file.":
    "消息大于 1 MB。请缩短，或把文字放进文件并写出文件名。",
  "The message is {0} MB long. The limit is 1 MB: put the text into a file in the folder and name the file instead.":
    "消息长 {0} MB。上限为 1 MB：请把文本放进文件夹中的文件，并改为提及该文件。",
  "The message that this work was for has ended. The work was not begun.":
    "此工作所属的消息已结束。工作没有开始。",
  "The message was not sent, because the image {0} could not be read. Try again.":
    "消息没有发送，因为无法读取图片 {0}。请重试。",
  "The mode was not changed": "模式没有更改",
  "The model did not answer: {0}": "模型没有回答：{0}",
  "The model's name is longer than {0} characters, or has characters that cannot be shown or spaces around it.":
    "模型名称超过 {0} 个字符，或含有无法显示的字符，或首尾有空格。",
  "The name is too long. 200 letters are the limit.": "名称过长。上限为 200 个字符。",
  "The name is too long. {0} letters are the limit.": "名称过长。上限为 {0} 个字符。",
  "The name of a session has at most {0} letters.": "会话名称最多 {0} 个字符。",
  'The name of a session has letters, digits, spaces and . _ - only, and no "{0}".':
    "会话名称只含字母、数字、空格和 . _ -，不能有“{0}”。",
  "The new chat could not be created.": "无法创建新对话。",
  "The other model could not be used. Choose one again.": "无法使用另一个模型。请重新选择。",
  "The path of the Copilot CLI in the environment variable VOXPILOT_COPILOT_CLI_PATH is {0}. {1} Correct it, or clear it to have the CLI looked for.":
    "环境变量 VOXPILOT_COPILOT_CLI_PATH 中的 Copilot CLI 路径是 {0}。{1}请更正，或清空以便查找 CLI。",
  "The path of the Copilot CLI in the settings is {0}. {1} Correct it, or clear it to have the CLI looked for.":
    "设置中的 Copilot CLI 路径是 {0}。{1}请更正，或清空以便查找 CLI。",
  "The path {0} cannot be followed.": "无法跟随路径 {0}。",
  "The path {0} is not absolute.": "路径 {0} 不是绝对路径。",
  "The practice folder could not be made in {0}.": "无法在 {0} 创建练习文件夹。",
  "Couldn't start the practice model: {0}": "无法启动练习模型：{0}",
  "The program {0} of {1} was not found. Install it, or correct its command in Settings.":
    "没有找到 {1} 的程序 {0}。请安装它，或在设置中更正其命令。",
  "The protocol could not be written: {0}": "无法写入协议：{0}",
  "The queue could not be resumed.": "无法继续队列。",
  "The quick prompt could not be opened. VoxPilot's window works; its log says more.":
    "无法打开快速输入。VoxPilot 的窗口仍可用；其日志中有更多信息。",
  "The rule could not be removed. Try again.": "无法移除规则。请重试。",
  "The rule could not be saved. Try again.": "无法保存规则。请重试。",
  "The rules could not be removed. Try again.": "无法移除这些规则。请重试。",
  "The server answers {0}. Try again later.": "服务器返回 {0}。请稍后重试。",
  "The server has stopped sending. Check your connection, then try again.":
    "服务器停止了发送。请检查你的连接，然后重试。",
  "The session is at work. Stop it first, or wait until it is done.":
    "该会话正在工作。请先停止它，或等它完成。",
  "The session is being renamed. The work was not begun. Try again in a moment.":
    "该会话正在重命名。工作没有开始。请稍后再试。",
  "The session was not closed": "会话没有关闭",
  "The session was not continued": "会话没有继续",
  'The session was not continued, because VoxPilot has it already, as "{0}".':
    "会话没有继续，因为 VoxPilot 已有它，名为“{0}”。",
  "The session was not renamed": "会话没有重命名",
  "The session was not restarted": "会话没有重新启动",
  "The sessions were not listed": "没有列出会话",
  "The setting was not changed": "设置没有更改",
  "The sign-in could not be kept. Try again.": "无法保留登录。请重试。",
  "The sign-in could not be saved: the database cannot be written. Nothing that was saved before is lost.":
    "无法保存登录：数据库无法写入。之前保存的内容没有丢失。",
  "Couldn't start the sign-in.": "无法开始登录。",
  "The sign-in is that of gh. Run `gh auth logout` in a terminal, or choose another sign-in.":
    "该登录来自 gh。请在终端运行 `gh auth logout`，或选择其他登录。",
  "The sign-in is the Copilot CLI's own. Sign out of the Copilot CLI, or choose another sign-in.":
    "该登录是 Copilot CLI 自己的。请注销 Copilot CLI，或选择其他登录。",
  "The sign-in of {0} is not in the keychain any more. Sign in again; your messages are sent afterwards.":
    "{0} 的登录已不在钥匙串中。请重新登录；之后会发送你的消息。",
  "The stream ended without an end mark.": "数据流在没有结束标记的情况下结束。",
  "The system keychain is locked, so your sign-in could not be removed from it. Unlock it, then sign out again.":
    "系统钥匙串已锁定，因此无法从中删除你的登录。请解锁后再次注销。",
  "The system keychain is locked. Unlock it so VoxPilot can read the key of {0}, then try again.":
    "系统钥匙串已锁定。请解锁，让 VoxPilot 能读取 {0} 的密钥，然后重试。",
  "The system keychain is locked. Unlock it so VoxPilot can read the variables of {0}, then try again.":
    "系统钥匙串已锁定。请解锁，让 VoxPilot 能读取 {0} 的变量，然后重试。",
  "The system keychain is locked. Unlock it so VoxPilot can read your sign-in.":
    "系统钥匙串已锁定。请解锁，让 VoxPilot 能读取你的登录。",
  "The text is too long to be kept as a draft.": "文本过长，无法保留为草稿。",
  "The token is in the environment variable {0}. Remove it there and start VoxPilot again, or choose another sign-in.":
    "令牌在环境变量 {0} 中。请在那里删除并重新启动 VoxPilot，或选择其他登录。",
  "The value of the header {0} contains \\n, which the Copilot CLI cannot pass on.":
    "请求头 {0} 的值含有 \\n，Copilot CLI 无法传递。",
  "The value of the header {0} has a line break or a character that headers cannot carry.":
    "请求头 {0} 的值含有换行或请求头不能带的字符。",
  "The value of the header {0} is longer than {1} characters.": "请求头 {0} 的值超过 {1} 个字符。",
  "The value of {0} holds a byte that no variable can have.": "{0} 的值含有变量不允许的字节。",
  "The variable {0} has no value yet. Enter one, or remove it.": "变量 {0} 还没有值。请输入，或移除它。",
  "The variable {0} is there twice. Remove one of them.": "变量 {0} 出现了两次。请移除其一。",
  "The variables could not be kept: {0}": "无法保存变量：{0}",
  "The variables could not be removed from the keychain, so the agent was kept. Unlock the keychain and try again.":
    "无法从钥匙串中删除变量，因此保留了该代理。请解锁钥匙串后重试。",
  "The variables of {0} are not in the keychain any more. Enter them again in Settings.":
    "{0} 的变量已不在钥匙串中。请在设置中重新输入。",
  "The wait was given up.": "已放弃等待。",
  "The window speaks English, German and Chinese.": "窗口支持英语、德语和中文。",
  "The work could not be begun.": "无法开始工作。",
  "There are a key and a header Authorization, and the key is sent as that header. Remove one of the two.":
    "同时有密钥和请求头 Authorization，而密钥会作为该请求头发送。请去掉其一。",
  "There are more than {0} headers.": "请求头超过 {0} 个。",
  "There is little room left on the disk.": "磁盘剩余空间不多了。",
  "There is no desktop here that could give VoxPilot a shortcut.": "此处没有可为 VoxPilot 提供快捷键的桌面。",
  "There is no file of it for this computer. The page of the project says more.":
    "没有适用于此电脑的文件。项目页面上有更多信息。",
  "There is no file {0} any more.": "文件 {0} 已不存在。",
  "There is no file {0}.": "没有文件 {0}。",
  "There is no folder {0}.": "没有文件夹 {0}。",
  "There is no host named {0}, or there is no network. Check the address.":
    "没有名为 {0} 的主机，或没有网络。请检查地址。",
  "There is no model at {0}: the address often ends in /v1. Correct it in Settings.":
    "{0} 没有模型：地址通常以 /v1 结尾。请在设置中更正。",
  "There is no newer version to download. Look for one first.": "没有可下载的新版本。请先查找。",
  "There is no room left on the disk. Free some space, then try again.":
    "磁盘没有剩余空间。请腾出空间，然后重试。",
  "There is no such file.": "没有这个文件。",
  "There is no such permission mode.": "没有这种权限模式。",
  "There is no such sign-in.": "没有这种登录。",
  "There is no text to send.": "没有要发送的文字。",
  "There is none yet. It is made when VoxPilot is started.": "还没有。VoxPilot 启动时会创建它。",
  "Thinking…": "正在思考…",
  "This has ended meanwhile. Send a message to have it go on.": "这已经结束。发送消息即可继续。",
  "This VoxPilot cannot sign in by a code at {0}: it has no client id for it. Sign in another way, or set one in Settings.":
    "此 VoxPilot 无法在 {0} 用代码登录：没有对应的客户端 ID。请用其他方式登录，或在设置中指定。",
  "This Wayland desktop has no global shortcuts for programs. Bind the command to keys in its keyboard settings.":
    "此 Wayland 桌面没有供程序使用的全局快捷键。请在其键盘设置中把命令绑定到按键。",
  "This Windows shows no notifications of VoxPilot: Windows PowerShell is missing, or it may not be used.":
    "此 Windows 不显示 VoxPilot 的通知：缺少 Windows PowerShell，或不允许使用它。",
  "This agent has no sign-in of its own that VoxPilot could run.": "此代理没有可由 VoxPilot 运行的登录。",
  "This build of VoxPilot does not look for updates. Install the newest version the way you installed this one.":
    "此版本的 VoxPilot 不查找更新。请用安装此版本的方式安装最新版本。",
  "This build of VoxPilot has no global shortcut.": "此版本的 VoxPilot 没有全局快捷键。",
  "This build of VoxPilot shows no notifications.": "此版本的 VoxPilot 不显示通知。",
  "This chat has begun. Choose its mode and its model below its message field.":
    "此对话已经开始。请在其消息框下方选择模式和模型。",
  "This chat has not changed {0}.": "此对话没有更改 {0}。",
  "This chat is at work. Stop it first, then choose another model or agent.":
    "此对话正在工作。请先停止它，再选择另一个模型或代理。",
  "This chat is deleted for good.": "此对话已永久删除。",
  "This chat is not there any more.": "此对话已不存在。",
  "This chat is too long for {0}. Choose a model that takes more, or go on in a new chat. This one stays as it is.":
    "此对话对 {0} 来说过长。请选择容量更大的模型，或在新对话中继续。此对话保持不变。",
  "This chat was deleted.": "此对话已删除。",
  "This desktop has no D-Bus session, by which notifications are shown.":
    "此桌面没有用于显示通知的 D-Bus 会话。",
  "This desktop has nothing that shows notifications. Install a notification service, such as dunst or mako.":
    "此桌面没有显示通知的服务。请安装通知服务，例如 dunst 或 mako。",
  "This event is not held any more. Begin with a snapshot.": "此事件已不再保留。请重新加载页面。",
  "This is neither a folder nor a link that VoxPilot could open.":
    "这既不是文件夹，也不是 VoxPilot 能打开的链接。",
  "This is no image.": "这不是图片。",
  "This is no page of a search. Begin it again.": "这不是搜索的一页。请重新开始。",
  "This is no token of GitHub's: those begin with github_pat_, gho_ or ghu_. {0}":
    "这不是 GitHub 的令牌：它们以 github_pat_、gho_ 或 ghu_ 开头。{0}",
  "This is not a text file, so there are no lines to compare.": "这不是文本文件，因此没有可比较的行。",
  "This is not the name of a host. Write it as in: pkg.go.dev": "这不是主机名。请写成这样：pkg.go.dev",
  "This is too long for a rule. Use the beginning of the command only.":
    "这对规则来说过长。请只使用命令的开头。",
  "This is {0}. {1}": "这是{0}。{1}",
  "This keyboard has no key {0}.": "此键盘没有 {0} 键。",
  "This message does not wait any more. It was sent or removed.": "此消息不再等待。它已发送或移除。",
  "This pattern allows any program. Begin it with the name of one, as in: npm run *":
    "此模式允许任何程序。请以程序名开头，例如：npm run *",
  "This request is not open any more.": "此请求已不再待处理。",
  "This rule is not there any more. Save it as a new one.": "此规则已不存在。请作为新规则保存。",
  "This rule says nothing. Write the command that it is about.": "此规则为空。请写明相关的命令。",
  "This rule would end before it begins. Choose a later time.":
    "此规则在开始之前就会结束。请选择更晚的时间。",
  "This session is not there any more.": "此会话已不存在。",
  "This session was begun elsewhere. Copilot remembers what was said there; it is not shown here.":
    "此会话始于别处。Copilot 记得那里说过的内容；此处不显示。",
  "This version of Copilot cannot do that ({0}). Update it, then send the message again.":
    "此版本的 Copilot 做不到（{0}）。请更新，然后重新发送消息。",
  "This process has already ended.": "此进程已经结束。",
  "This work has ended already.": "此工作已经结束。",
  "This {0} is not there any more.": "它已不存在（{0}）。",
  "Try it in a terminal with: copilot --version – and install it anew if that fails too.":
    "请在终端试试：copilot --version – 如果也失败，请重新安装。",
  "Unlock the keychain, then check the sign-in again in the settings.":
    "请解锁钥匙串，然后在设置中重新检查登录。",
  "VoxPilot cannot open this link. {0}": "VoxPilot 无法打开此链接。{0}",
  "VoxPilot cannot replace itself in {0}. Install {1} the way you installed this version.":
    "VoxPilot 无法在 {0} 中替换自身。请用安装此版本的方式安装 {1}。",
  "VoxPilot cannot write to its data in {0}. Check the permissions of that folder and what is in it, then start VoxPilot again.":
    "VoxPilot 无法写入 {0} 中的数据。请检查该文件夹及其内容的权限，然后重新启动 VoxPilot。",
  "VoxPilot could not have its data written to the disk": "VoxPilot 未能将数据写入磁盘",
  "VoxPilot could not keep its search in order": "VoxPilot 未能维护搜索",
  "VoxPilot could not look for a newer version.": "VoxPilot 无法查找新版本。",
  "VoxPilot could not open its data in {0}": "VoxPilot 未能打开 {0} 中的数据",
  "VoxPilot could not open its data in {0}.": "VoxPilot 无法打开 {0} 中的数据。",
  "VoxPilot could not read its data": "VoxPilot 未能读取数据",
  "VoxPilot could not save what is new": "VoxPilot 未能保存新内容",
  "VoxPilot did not wait for it": "VoxPilot 没有等待它",
  "VoxPilot does not know this kind of rule.": "VoxPilot 不认识这种规则。",
  "VoxPilot ended while its data could not be written: {0} changes are lost.":
    "VoxPilot 结束时数据无法写入：{0} 项更改丢失。",
  "VoxPilot is closing": "VoxPilot 正在关闭",
  "VoxPilot is closing.": "VoxPilot 正在关闭。",
  "VoxPilot is closing. The message is kept in the composer.": "VoxPilot 正在关闭。消息保留在输入框中。",
  "VoxPilot is closing. The work was not begun.": "VoxPilot 正在关闭。工作没有开始。",
  "VoxPilot is quitting: its data cannot be used any more.": "VoxPilot 正在退出：其数据无法再使用。",
  "VoxPilot is quitting: nothing can be saved any more.": "VoxPilot 正在退出：无法再保存任何内容。",
  "VoxPilot may not do this: {0}": "VoxPilot 无权这样做：{0}",
  "VoxPilot can't read the folder {0}.": "VoxPilot 无法读取文件夹 {0}。",
  "VoxPilot can't read {0}.": "VoxPilot 无法读取 {0}。",
  "VoxPilot opens web addresses (http and https) and mail addresses only.":
    "VoxPilot 只打开网址（http 和 https）和邮件地址。",
  "VoxPilot stopped this after a minute of work, as the settings say. Send a message to have it go on.":
    "按照设置，VoxPilot 在工作一分钟后停止了它。发送消息即可继续。",
  "VoxPilot stopped this after {0} minutes of work, as the settings say. Send a message to have it go on.":
    "按照设置，VoxPilot 在工作 {0} 分钟后停止了它。发送消息即可继续。",
  "VoxPilot {0} could not be downloaded.": "无法下载 VoxPilot {0}。",
  "VoxPilot {0} could not be installed, so this version was kept.":
    "无法安装 VoxPilot {0}，因此保留了此版本。",
  "VoxPilot {0} could not be started, so you are back in {1}. Your chats are as they were.":
    "无法启动 VoxPilot {0}，因此你又回到了 {1}。你的对话保持原样。",
  "VoxPilot {0} does not run on this computer, so this version was kept.":
    "VoxPilot {0} 无法在此电脑上运行，因此保留了此版本。",
  "VoxPilot's data was damaged. {0} was taken over: chats: {1}, entries in them: {2}. The damaged file is kept as {3}.":
    "VoxPilot 的数据已损坏。已接管 {0}：对话 {1}，其中条目 {2}。损坏的文件保存为 {3}。",
  "Waiting for you": "正在等你",
  "What answered this chat was removed in Settings. Choose another model or agent to go on; the conversation stays.":
    "回答此对话的对象已在设置中移除。请选择另一个模型或代理来继续；对话保留。",
  "What answers for {0} is not GitHub ({1}). Check the network, its proxy and GH_HOST.":
    "代表 {0} 响应的不是 GitHub（{1}）。请检查网络、其代理和 GH_HOST。",
  "What answers for {0} is not GitHub. Check the network, its proxy and GH_HOST.":
    "代表 {0} 响应的不是 GitHub。请检查网络、其代理和 GH_HOST。",
  "What came is not what VoxPilot's publisher has signed, so it was thrown away. Try again later, or from another network.":
    "收到的内容不是 VoxPilot 发布者签名的，因此已丢弃。请稍后重试，或换一个网络。",
  "What could be read of it": "其中可读的内容",
  "What gh has is {0}. {1}": "gh 中的是{0}。{1}",
  "What was said before could not be read. Try again.": "无法读取之前说过的内容。请重试。",
  "Windows keeps shortcuts with the Windows key for itself. Use Ctrl, Alt and Shift.":
    "Windows 将带 Windows 键的快捷键留作自用。请使用 Ctrl、Alt 和 Shift。",
  "Write a message first.": "请先写一条消息。",
  "Writing…": "正在撰写…",
  "You are offline. Messages wait here and are sent when the connection is back. Your history stays readable.":
    "你处于离线状态。消息会在此等待，连接恢复后发送。历史记录仍可阅读。",
  "Your GitHub sign-in has expired. Sign in again and VoxPilot reconnects this session where it stopped. Nothing is lost, and queued messages are sent afterwards.":
    "你的 GitHub 登录已过期。重新登录后，VoxPilot 会从中断处重新连接此会话。不会丢失任何内容，队列中的消息随后发送。",
  "Your GitHub sign-in was renewed. Copilot is started again with it.":
    "你的 GitHub 登录已更新。Copilot 正以此重新启动。",
  "Your answer could not be saved, so it was not sent. Try again.":
    "无法保存你的回答，因此没有发送。请重试。",
  "Your message was not sent, because its session could not be saved. Check that there is room on the disk, then send it again.":
    "你的消息没有发送，因为无法保存其会话。请检查磁盘是否有空间，然后重新发送。",
  "a classic personal access token (ghp_), which Copilot does not take":
    "经典个人访问令牌 (ghp_)，Copilot 不接受",
  "a code, held in memory until VoxPilot quits": "验证码（保存在内存中，直到 VoxPilot 退出）",
  "a code, kept in the keychain": "验证码（保存在钥匙串中）",
  "a line of more than {0} bytes": "超过 {0} 字节的一行",
  "a line that is no message": "不是消息的一行",
  "a message that could not be handled": "无法处理的消息",
  "a refresh token (ghr_), which only renews another one": "刷新令牌 (ghr_)，只用于更新另一个令牌",
  "a request without a key": "没有密钥的请求",
  "a token of an app's installation (ghs_), which belongs to no person":
    "应用安装的令牌 (ghs_)，不属于任何人",
  "a token, held in memory until VoxPilot quits": "令牌（保存在内存中，直到 VoxPilot 退出）",
  "a token, kept in the keychain": "令牌（保存在钥匙串中）",
  "an answer to no request": "没有对应请求的答复",
  "another program has these keys": "另一个程序占用了这些按键",
  "asking the keychain: {0}": "查询钥匙串：{0}",
  "can be used": "可以使用",
  "close sessions": "关闭会话",
  empty: "空",
  "ended by {0}": "被 {0} 结束",
  "exit code {0}": "退出码 {0}",
  "finding a free port: {0}": "未找到空闲端口：{0}",
  "fork sessions": "分叉会话",
  "gh at {0}": "{0} 的 gh",
  "gh did not say within 3 seconds which token it has. Its keychain may be locked: unlock it, then choose Try again.":
    "gh 在 3 秒内没有给出令牌。它的钥匙串可能已锁定：解锁后选择“重试”。",
  "is being looked for": "正在查找",
  "it closed the connection": "它关闭了连接",
  "it did not answer within {0}": "它在 {0} 内没有回答",
  "it did not answer within {0}; it may be waiting to be unlocked": "它在 {0} 内没有回答；可能在等待解锁",
  "it did not keep what was given to it": "它没有保存交给它的内容",
  "it did not run what it was given": "它没有运行交给它的内容",
  "it ended": "已结束",
  "it ended without an answer": "没有回答就结束了",
  "it gives no reason.": "未说明原因。",
  "it has no mode in which it asks": "没有会询问的模式",
  "it has not answered an earlier call yet; it may be waiting to be unlocked":
    "它还没有回答之前的调用；可能在等待解锁",
  "it is locked": "它已锁定",
  "it is not listed": "它不在列表中",
  "it is not signed by VoxPilot's publisher": "它不是由 VoxPilot 的发布者签名的",
  "it is not there": "它不存在",
  "it is of a kind that this VoxPilot does not know": "此 VoxPilot 不认识这种类型",
  "it leads from one address to the next": "它从一个地址跳到下一个地址",
  "it names another repository than the one that VoxPilot was built from, or no build":
    "它指定的仓库不是构建 VoxPilot 的仓库，或者没有指定构建",
  "it was ended by {0}": "它被 {0} 结束",
  "line {0}": "第 {0} 行",
  "lines {0} to {1}": "第 {0} 到 {1} 行",
  "list sessions": "列出会话",
  "load sessions": "加载会话",
  "macOS did not give the keys (status {0})": "macOS 没有给出这些按键（状态 {0}）",
  "more than {0}": "超过 {0}",
  "no answer within {0}": "{0} 内没有回答",
  "no changes": "没有更改",
  "no commits": "没有提交",
  "no matches": "无匹配",
  "nobody is signed in at {0}": "没有人登录 {0}",
  "not found": "未找到",
  "not found; looked in {0}": "未找到；已查找 {0}",
  "not yet": "尚未",
  "nothing shows notifications here": "此处没有程序显示通知",
  "part {0} of {1} is missing": "缺少第 {0} 部分（共 {1} 部分）",
  "reading it back: {0}": "读回时：{0}",
  "resume sessions": "继续会话",
  "something else took its place meanwhile": "期间有别的内容取代了它",
  "something with characters that no token has": "含有令牌中不会有的字符的内容",
  "take audio": "接收音频",
  "take embedded files": "接收嵌入的文件",
  "take images": "接收图片",
  "the Copilot CLI's own login": "Copilot CLI 自己的登录",
  "the X server knows no keyboard": "X 服务器没有键盘",
  "the agent did not answer in time": "代理没有及时回答",
  "the agent does not have the session in memory": "代理的内存中没有该会话",
  "the agent ended before it answered": "代理在回答前结束了",
  "the agent is gone": "代理已不存在",
  "the agent made a session without an id": "代理创建的会话没有 ID",
  "the answer is too long": "回答过长",
  "the connection was ended": "连接已结束",
  "the database is damaged: {0}": "数据库已损坏：{0}",
  "the endpoint took too long": "端点耗时过长",
  "the environment variable {0}": "环境变量 {0}",
  "the feed has {0} bytes, more than the {1} that are read": "列表有 {0} 字节，超过可读取的 {1} 字节",
  "the file does not begin as a database does": "文件的开头不是数据库",
  "the file ends after {0} bytes": "文件在 {0} 字节后结束",
  "the file is larger than the signed list says": "文件比签名列表所写的大",
  "the file is not the one that was signed": "文件不是签名的那个",
  "the folder for it": "用于它的文件夹",
  "the folder {0} cannot be opened ({1})": "无法打开文件夹 {0} ({1})",
  "the folder {0} is not there any more": "文件夹 {0} 已不存在",
  "the installer runs on Windows only": "安装程序只能在 Windows 上运行",
  "the key": "密钥",
  "the keychain has no such entry": "钥匙串中没有该条目",
  "the last message": "最后一条消息",
  "the last {0} messages": "最后 {0} 条消息",
  "the registry": "注册表",
  "the secret is longer than {0} bytes": "机密内容超过 {0} 字节",
  "the server answers {0}": "服务器回答 {0}",
  "the server has stopped sending": "服务器已停止发送",
  "the session is lost": "会话已丢失",
  "the system's keychain cannot be used": "无法使用系统钥匙串",
  "the thread of the shortcut has ended": "快捷键的线程已结束",
  "there is no D-Bus session bus": "没有 D-Bus 会话总线",
  "another program answers at the port of the agent, so nothing was sent there":
    "代理的端口上应答的是另一个程序，因此没有向其发送任何内容",
  "it has expired": "它已过期",
  "{0}: it expires {1}": "{0}：它于 {1} 过期",
  "There is no Copilot CLI for this computer.": "此电脑没有可用的 Copilot CLI。",
  "npm fetched another Copilot CLI than the one that VoxPilot knows, so it was not installed. Check where npm fetches packages from.":
    "npm 获取的 Copilot CLI 与 VoxPilot 已知的不一致，因此未安装。请检查 npm 从何处获取软件包。",
  "making a folder for a socket: {0}": "为套接字创建文件夹时：{0}",
  "setting the defensive mode of SQLite: code {0}": "设置 SQLite 的防御模式时：代码 {0}",
  "{0} It is too large to be examined to its end.": "{0}它过大，无法完整检查。",
  "{0} The database cannot be written; nothing that was saved before is lost.":
    "{0}数据库无法写入；之前保存的内容没有丢失。",
  "{0} answered with an error (status {1}). Check the address, or try again later.":
    "{0} 返回了错误（状态 {1}）。请检查地址，或稍后重试。",
  "{0} answered with more than {1} MB where a list of models was expected. Check the address.":
    "{0} 返回了超过 {1} MB，而这里应为模型列表。请检查地址。",
  "{0} answers, but not like a model endpoint. Check its address in Settings: it often ends in /v1.":
    "{0} 有响应，但不像模型端点。请在设置中检查其地址：它通常以 /v1 结尾。",
  "{0} answers, but not like a model endpoint. Check the address: it often ends in /v1.":
    "{0} 有响应，但不像模型端点。请检查地址：它通常以 /v1 结尾。",
  "{0} asks for a pause. Try again in a while. Your message is kept.":
    "{0} 要求暂停。请过一会儿再试。你的消息已保留。",
  "{0} at {1} is older than {2}": "{1} 的 {0} 比 {2} 旧",
  "{0} are free on the disk of {1}": "{1} 所在的磁盘可用 {0}",
  "{0} bytes": "{0} 字节",
  "{0} can answer prompts; it cannot {1}": "{0} 可以回答提示；不可以：{1}",
  "{0} can do all there is: {1}": "{0} 全部都可以：{1}",
  "{0} can {1}; it cannot {2}": "{0} 可以：{1}；不可以：{2}",
  "{0} cannot be opened.": "无法打开 {0}。",
  "{0} cannot be the name of a header: use letters, digits and hyphens.":
    "{0} 不能作为请求头的名称：请使用字母、数字和连字符。",
  "{0} cannot use tools, which the main AI needs. Choose another model.":
    "{0} 无法使用工具，而主 AI 需要工具。请选择另一个模型。",
  "{0} chats are still at work. Wait until they have finished, or stop them, then update.":
    "{0} 个对话仍在工作。请等它们完成，或停止它们，然后更新。",
  "{0} closed the connection before it answered. Try again.": "{0} 在回答之前关闭了连接。请重试。",
  "{0} closes windows. Choose other keys.": "{0} 会关闭窗口。请选择其他按键。",
  "{0} could not be opened.": "无法打开 {0}。",
  "{0} could not be reached. Check the address and the network.": "无法连接 {0}。请检查地址和网络。",
  "{0} could not be read.": "无法读取 {0}。",
  "{0} could not be saved: the database cannot be written. Nothing that was saved before is lost.":
    "无法保存 {0}：数据库无法写入。之前保存的内容没有丢失。",
  "Couldn't start {0} ({1}). Check that it is the Copilot CLI for this computer, then choose Try again.":
    "无法启动 {0}（{1}）。请检查它是否为适用于此电脑的 Copilot CLI，然后选择“重试”。",
  "Couldn't start {0}.": "无法启动 {0}。",
  "{0} could not be written.": "无法写入 {0}。",
  "{0} declined this request.": "{0} 拒绝了此请求。",
  "{0} did not answer": "{0} 没有回答",
  "{0} did not answer within {1}. Check that it runs, and check again.":
    "{0} 没有在 {1} 内响应。请检查它是否在运行，然后重新检查。",
  "{0} did not take the request{1}. {2}": "{0} 没有接受请求{1}。{2}",
  "{0} did not tell its environment: {1}, after {2}": "{0} 没有给出它的环境：{1}，用时 {2}",
  "{0} does not accept the key. Enter it again in Settings, then try again. Your message is kept.":
    "{0} 不接受该密钥。请在设置中重新输入，然后重试。你的消息已保留。",
  "{0} does not accept {1} (status {2}). Check the key and enter it again.":
    "{0} 不接受 {1}（状态 {2}）。请检查密钥并重新输入。",
  "{0} does not know the model {1}. {2}": "{0} 没有模型 {1}。{2}",
  "{0} does not let this key use {1}{2}. Check the key there, or choose another model.":
    "{0} 不允许此密钥使用 {1}{2}。请在那里检查密钥，或选择另一个模型。",
  "{0} does not speak https. Enter the address with http:// if it is on this computer or in your network.":
    "{0} 不支持 https。如果它在此电脑或你的网络中，请用 http:// 输入地址。",
  "{0} does not take images. Choose another model, or send the message without the image.":
    "{0} 不接受图片。请选择另一个模型，或不带图片发送消息。",
  "{0} does not take images. Send the message without them.": "{0} 不接受图片。请不带图片发送消息。",
  "{0} does not work: {1}": "{0} 无法工作：{1}",
  "{0} failed to answer{1}. Try again, or choose another model.":
    "{0} 未能回答{1}。请重试，或选择另一个模型。",
  "{0} goes on working.": "{0} 会继续工作。",
  "{0} has no Copilot access. Sign in with an account that has a Copilot plan, or check again once it is turned on.":
    "{0} 没有 Copilot 使用权限。用带有 Copilot 套餐的账户登录，或在开通后重新检查。",
  "{0} has no credit left for this key. Add credit there, or choose another model. Your message is kept.":
    "{0} 对此密钥已没有余额。请在那里充值，或选择另一个模型。你的消息已保留。",
  "{0} has to be a number that is not negative.": "{0} 须为非负数。",
  "{0} has {1} × {2} pixels, which is too many. Make it smaller, then add it again.":
    "{0} 有 {1} × {2} 像素，过大。请缩小后重新添加。",
  "{0} is a file and no folder.": "{0} 是文件，不是文件夹。",
  "{0} is a file. Choose the folder it is in.": "{0} 是文件。请选择它所在的文件夹。",
  "{0} is needed for typing and by other programs. Add Ctrl or Alt to it.":
    "{0} 用于打字，也被其他程序使用。请加上 Ctrl 或 Alt。",
  "{0} is no file and no folder. It cannot go with a message.":
    "{0} 既不是文件也不是文件夹，无法随消息发送。",
  "{0} is no image that can be used. Choose a PNG, JPEG, GIF or WebP file.":
    "{0} 不是可用的图片。请选择 PNG、JPEG、GIF 或 WebP 文件。",
  "{0} is not a folder any more": "{0} 已不是文件夹",
  "{0} is not a shortcut. Write it as Ctrl+Shift+Space.": "{0} 不是快捷键。请写成 Ctrl+Shift+Space 的形式。",
  "{0} is not a whole path. Write it from the root, or leave it empty for every folder.":
    "{0} 不是完整路径。请从根开始写，或留空以适用于所有文件夹。",
  "{0} is not a whole path. Write it from the root, or only the program's name.":
    "{0} 不是完整路径。请从根开始写，或只写程序名。",
  "{0} is not a whole path. Write it from the root.": "{0} 不是完整路径。请从根开始写。",
  "{0} is not there": "{0} 不存在",
  "{0} is on another machine. Only files of this one can be used.":
    "{0} 在另一台机器上。只能使用本机的文件。",
  "{0} is outside of the chat's folder, and nothing in the chat is about it. It was not opened.":
    "{0} 在对话的文件夹之外，且对话中没有涉及它的内容。没有打开。",
  "{0} is used by other programs. Add Shift or another key to it.":
    "{0} 被其他程序使用。请加上 Shift 或其他键。",
  "{0} is {1} MB large. An image can have {2} MB.": "{0} 大小为 {1} MB。图片最大为 {2} MB。",
  "{0} messages that are not in this chat": "{0} 条不在此对话中的消息",
  "{0} runs commands. Name the editor itself.": "{0} 会运行命令。请指定编辑器本身。",
  "{0} says there were too many requests. Wait a little and check again.": "{0} 表示请求过多。请稍等再检查。",
  "{0} sends its visitors elsewhere: {1}. Enter that address in Settings, if you trust it.":
    "{0} 把访问者转到别处：{1}。如果你信任该地址，请在设置中输入它。",
  "{0} sends its visitors elsewhere: {1}. Enter the address it leads to, if you trust it.":
    "{0} 把访问者转到别处：{1}。如果你信任，请输入它所指向的地址。",
  "{0} sent an empty answer. Try again, or choose another model.":
    "{0} 返回了空的回答。请重试，或选择另一个模型。",
  "{0} stopped, because it has used its tools as often as it may for one message. Ask it to continue.":
    "{0} 已停止，因为一条消息允许的工具使用次数已用完。请让它继续。",
  "{0} stopped, because the answer is as long as the model allows. Ask it to continue.":
    "{0} 已停止，因为回答已达到模型允许的长度。请让它继续。",
  "{0} switches to another console. Choose other keys.": "{0} 会切换到另一个控制台。请选择其他按键。",
  "{0} told its PATH and {1}, in {2}": "{0} 给出了它的 PATH 和 {1}，用时 {2}",
  "{0} told its PATH, and no variable had to be taken over, in {1}":
    "{0} 给出了它的 PATH，没有需要接管的变量，用时 {1}",
  "{0} took too long to answer. Try again.": "{0} 回答耗时过长。请重试。",
  "{0} types a letter on some keyboards, where Ctrl+Alt is AltGr. Add Shift to it.":
    "{0} 在某些键盘上会输入字母，那里 Ctrl+Alt 即 AltGr。请加上 Shift。",
  "{0} wants a key. Enter it in Settings, then try again. Your message is kept.":
    "{0} 需要密钥。请在设置中输入，然后重试。你的消息已保留。",
  "{0} was found, but does not run ({1}). Install it again: `npm install -g @github/copilot@{2}`.":
    "找到了 {0}，但无法运行（{1}）。请重新安装：`npm install -g @github/copilot@{2}`。",
  '{0} was found, but does not say its version (it said "{1}"). It may be another program of the same name.':
    "找到了 {0}，但它没有给出版本（它说“{1}”）。可能是同名的另一个程序。",
  "{0} would run some files. Name the editor itself.": "{0} 会运行某些文件。请指定编辑器本身。",
  "{0}, because Copilot did not answer. Try again in a moment.": "{0}，因为 Copilot 没有响应。请稍后再试。",
  "{0}, because Copilot wants you to sign in. Do that, then try again.":
    "{0}，因为 Copilot 要求你登录。请登录后重试。",
  "{0}, because it is at work. Stop it first, or wait until it is done.":
    "{0}，因为它正在工作。请先停止它，或等它完成。",
  '{0}, because it is in this chat already, as "{1}".': "{0}，因为它已在此对话中，名为“{1}”。",
  "{0}, because it is the one that answers you.": "{0}，因为它是回答你的会话。",
  "{0}, because nothing was said in it yet.": "{0}，因为其中还没有说过任何内容。",
  "{0}, because of an error in Copilot ({1}). Try again.": "{0}，因为 Copilot 出错（{1}）。请重试。",
  "{0}, because this agent would forget it.": "{0}，因为此代理会忘记它。",
  "{0}, by {1}": "{0}，通过{1}",
  "{0}, found at {1}": "{0}，位于 {1}",
  "{0}. This agent cannot do that.": "{0}。此代理做不到。",
  "{0}: GitHub did not say whether it knows it, asked {1}": "{0}：GitHub 没有说是否认识它，询问于 {1}",
  "{0}: GitHub knows it, and Copilot refused it": "{0}：GitHub 认识它，但 Copilot 拒绝了",
  "{0}: GitHub knows it, asked {1}": "{0}：GitHub 认识它，询问于 {1}",
  "{0}: GitHub refused it, asked {1}": "{0}：GitHub 拒绝了它，询问于 {1}",
  "{0}: VoxPilot cannot check it": "{0}：VoxPilot 无法检查它",
  "{0}: a kind of token that Copilot takes from nobody": "{0}：Copilot 不接受任何人的这种令牌",
  "{0}: it had ended before": "{0}：之前已经结束",
  "{0}: no program is in it: {1}": "{0}：其中没有程序：{1}",
  "{0}: the agent lists it, but cannot load it.": "{0}：代理列出了它，但无法加载。",
  "{0}: the database cannot be written. Nothing that was saved before is lost.":
    "{0}：数据库无法写入。之前保存的内容没有丢失。",
  "{0}: the keychain that has it cannot be read": "{0}：无法读取保存它的钥匙串",
  '{0}: the name "main" is that of the session that answers you.': "{0}：名称“main”属于回答你的会话。",
  '{0}: there is one called "{1}" already. Choose another name.':
    "{0}：已有一个名为“{1}”的。请选择另一个名称。",
  "{0}://{1} is not a safe address": "{0}://{1} 不是安全的地址",
  '{0}; its last words: "{1}"': "{0}；它最后说的是：“{1}”",
  "{n} bytes": "{n} 字节",
  "{n} commits": "{n} 个提交",
  "{n} entries": "{n} 个条目",
  "{n} files": "{n} 个文件",
  "{n} files changed": "更改了 {n} 个文件",
  "{n} items": "{n} 项",
  "{n} lines": "{n} 行",
  "{n} lines match": "{n} 行匹配",
  "{n} matches": "{n} 个匹配",
  "Correct the API key in Settings.": "请在设置中更正 API 密钥。",
  "Earlier tool call": "之前的工具调用",
  "Give work to a session": "把工作交给一个会话",
  "Nothing was run": "没有运行任何命令",
  "Nothing was written": "没有写入任何内容",
  "Start it in a terminal to see why, or correct its command or address in Settings.":
    "在终端中启动它查看原因，或在设置中更正它的命令或地址。",
  "None of the last {0} messages of this chat is among the last {1} that Copilot remembers, and VoxPilot doesn't compare older ones":
    "此对话的最后 {0} 条消息都不在 Copilot 记得的最后 {1} 条之中，VoxPilot 不比较更早的消息",
  "no result": "没有结果",
  "Couldn't start {0} ({1}). Check its command in Settings, then choose Try again.":
    "无法启动 {0}（{1}）。请在设置中检查它的命令，然后选择“重试”。",
  "{0} did not accept its API key. Correct it in Settings, then choose Check again. Your message is kept and goes out then.":
    "{0} 不接受它的 API 密钥。请在设置中更正，然后选择“重新检查”。你的消息会保留，随后发送。",
  "{0} did not accept its API key. Correct the key in Settings, then send the message again.":
    "{0} 不接受它的 API 密钥。请在设置中更正密钥，然后重新发送消息。",
  "{0} can't be reached. Nothing answers on {1} ({2}). Check that it runs, then choose Try again.":
    "无法连接 {0}。{1} 上没有响应（{2}）。请确认它正在运行，然后选择“重试”。",
  "{0} stopped answering. {1} tries failed, the last with “{2}”. Check that it runs on {3} and has room for {4}, or choose a smaller model.":
    "{0} 停止响应。{1} 次尝试失败，最后一次的原因是“{2}”。请确认它正在 {3} 上运行且有足够空间容纳 {4}，或选择更小的模型。",
  "{0} does not have the model that was chosen. Choose another one in Settings, then send the message again.":
    "{0} 没有所选的模型。请在设置中选择另一个模型，然后重新发送消息。",
  "{0}: the user stopped the turn that this belongs to. For another turn, announce it with a tool call of that turn first.":
    "{0}：用户已停止它所属的回合。若属于另一个回合，请先用该回合的工具调用声明它。",
  "Copilot can't take this message now ({0}). Wait a moment, then send it again; if it happens again, restart the session.":
    "Copilot 现在无法接收这条消息（{0}）。稍等片刻后重新发送；如果再次发生，请重启会话。",
  "Install fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch), then start VoxPilot again.":
    "请安装 fonts-noto-cjk（Debian、Ubuntu）、google-noto-sans-cjk-fonts（Fedora）或 noto-fonts-cjk（Arch），然后重新启动 VoxPilot。",
  "not installed, so Chinese characters are drawn as boxes": "未安装，汉字会显示为方框",
  "one is installed": "已安装",
  "a link of /proc leads to another file for each program": "/proc 中的链接对每个程序指向不同的文件",
  "the path has a zero byte in it": "路径中含有空字节",
  "the path is not absolute": "路径不是绝对路径",
  "too many links": "链接过多",
  "VoxPilot stopped Copilot while it was answering, because this folder has something new that can run code. What it had said is kept. Review the folder, then ask Copilot to continue.":
    "此文件夹中出现了可以运行代码的新内容，VoxPilot 因此在 Copilot 回答时停止了它。已有的回答会保留。请先检查该文件夹，再让 Copilot 继续。",
  "You haven't trusted what this folder can run. Review it in VoxPilot. Your message is saved and goes out when you trust the folder.":
    "你尚未信任此文件夹可以运行的内容。请在 VoxPilot 中检查。你的消息已保存，信任此文件夹后就会发出。",
  "the folder is not trusted": "该文件夹不受信任",
  "{0}, because you haven't trusted this folder as it is now. Review it in the chat, then try again.":
    "{0}，因为你尚未信任此文件夹的当前内容。请在对话中检查，然后重试。",
  "more has changed": "还有其他更改",
  "no plain file of the repository": "不是仓库中的普通文件",
  "the files are not what was shown": "文件与所显示的不一致",
};
